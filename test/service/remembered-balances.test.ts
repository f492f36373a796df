import { setBalance } from '@player-nfts/local/indexer/world'
import { afterEach, describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/stored-items.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const token = { network: 'polygon-mainnet', address: newAddress() } as const
const SERVICE_TOKEN = `POLYGON:${token.address}:0`

const failing = { isDown: false }
service.interfere((request) =>
  failing.isDown && nameOf(request) === 'alchemy_getTokenBalances' ? { status: 500 } : undefined,
)
afterEach(() => {
  failing.isDown = false
})

/** A player with a balance in each of this number of wallets, and the read of 4.12 by new containers. */
async function holder(variables: Record<string, string>, count = 2) {
  const host = service.newContainers({ SERVICE_TOKEN, ...variables })
  const wallets = Array.from({ length: count }, newAddress)
  const hold = (units: bigint) => {
    for (const wallet of wallets) setBalance(world, { ...token, wallet }, units)
  }
  hold(5n)
  const { playerToken } = await service.newPlayer(wallets)
  const read = async (cacheControl?: string) => {
    const headers = cacheControl === undefined ? {} : { 'cache-control': cacheControl }
    return await invokeFunction(host, 'getPlayerDetails', { playerToken, headers })
  }
  return { wallets, hold, read }
}
const { world } = service

const remembering = { REMEMBER_SECONDS: '3600' }

describe('D156: the balance of 4.12', () => {
  test('Budget: is remembered by wallet, with one lookup and without the indexer', async () => {
    const { hold, read } = await holder(remembering)
    const first = await read()
    expect(first.json.data.amountText).toBe('10')
    hold(7n)
    const counts = await service.countsOf(async () => {
      expect((await read()).json).toEqual(first.json)
    })
    expect(counts).toEqual({ GetItem: 1, BatchGetItem: 1 })
  })

  test('is not remembered by following alone', async () => {
    const { wallets, hold, read } = await holder({ FOLLOWED_CHAINS: 'POLYGON' })
    await read()
    hold(7n)
    expect((await read()).json.data.amountText).toBe('14')
    const kept = wallets.map((wallet) => tableOf(service).itemsUnder(`WALLET#${wallet}`))
    expect((await Promise.all(kept)).flat()).toEqual([])
  })

  test('is read anew, or stale while the indexer is down, as the caller accepts', async () => {
    const { hold, read } = await holder(remembering)
    const { asOf } = (await read()).json
    hold(7n)
    failing.isDown = true
    expectProblem(await read('no-cache'), 'indexer_unavailable')
    const stale = await read('no-cache, stale-if-error=600')
    expect(stale.json).toMatchObject({ data: { amountText: '10' }, asOf, stale: true })
    failing.isDown = false
    expect((await read('max-age=0')).json.data.amountText).toBe('14')
    expect((await read()).json.data.amountText).toBe('14')
  })
})

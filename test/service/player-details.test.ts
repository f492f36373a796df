import { afterAll, describe, expect, test } from 'vitest'
import { createWorld, type Network, setBalance } from '../../local/indexer/world.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress, type Service } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)

/** The largest possible balance of an ERC-20 token. */
const most = 2n ** 256n - 1n

/** A token of the test's own, and a service with it as the service token. */
async function serviceOf(chain: 'BSC' | 'POLYGON', decimals: number) {
  const network: Network = chain === 'BSC' ? 'bnb-mainnet' : 'polygon-mainnet'
  const address = newAddress()
  // A holder, so that the token exists.
  setBalance(world, { network, address, wallet: newAddress() }, 1n)
  const service = await startOwnService(
    { INDEXER_URL: indexer.url, SERVICE_TOKEN: `${chain}:${address}:${decimals}` },
    afterAll,
  )
  return { service, token: { network, address }, named: { chain, address, decimals } }
}

/** The amount of a player with these balances, each in a separate wallet, as the text of the response. */
async function amountOf(
  { service, token }: { service: Service; token: { network: Network; address: string } },
  balances: readonly bigint[],
): Promise<string> {
  const wallets = balances.map((balance) => {
    const wallet = newAddress()
    setBalance(world, { ...token, wallet }, balance)
    return wallet
  })
  const { playerToken, userId } = await service.newPlayer(wallets)
  const answer = await service.call('GET /player/details', { playerToken })
  const text = answer.text.replace(/,"asOf":"[^"]+"}$/, '}')
  const start = `{"data":{"userId":${userId},"username":"marrow_finch","amountText":`
  const end = '},"success":true}'
  expect(text.startsWith(start) && text.endsWith(end), text).toBe(true)
  const amount = text.slice(text.lastIndexOf(':', text.length - end.length) + 1, -end.length)
  expect(JSON.parse(text).data.amountText).toBe(amount)
  return amount
}

const wei = 10n ** 18n

describe('D29: the amount of a token of 18 decimals, to the last digit', async () => {
  const usual = await serviceOf('POLYGON', 18)

  test.each<[string, bigint[], string]>([
    ['the smallest unit', [1n], '0.000000000000000001'],
    [
      'the largest possible amount in 20 wallets',
      Array(20).fill(most),
      '2315841784746323908471419700173758157065399693312811280789151.6801582625927987',
    ],
  ])('%s', async (_, balances, amount) => {
    expect(await amountOf(usual, balances)).toBe(amount)
  })

  test('D36: a token without a symbol in the settings has none in the response', async () => {
    const { playerToken } = await usual.service.newPlayer([])
    const { json } = await usual.service.call('GET /player/details', { playerToken })
    expect(json.data.token).toEqual(usual.named)
  })

  test('does not count other tokens, or the same address on another chain', async () => {
    const { service, token } = usual
    const wallet = newAddress()
    setBalance(world, { ...token, wallet }, 2n * wei)
    setBalance(world, { ...token, address: newAddress(), wallet }, 3n * wei)
    setBalance(world, { ...token, network: 'bnb-mainnet', wallet }, 5n * wei)
    const { playerToken } = await service.newPlayer([wallet])
    const { text } = await service.call('GET /player/balance', { playerToken })
    expect(text).toContain('"amount":2}')
  })
})

test('D29: the amount of a token without decimals, on BSC', async () => {
  expect(await amountOf(await serviceOf('BSC', 0), [most, 1n])).toBe(String(2n ** 256n))
})

test('D29: the amount of a token of 77 decimals', async () => {
  const fine = await serviceOf('POLYGON', 77)
  expect(await amountOf(fine, [most])).toBe(`1.${String(most).slice(1)}`)
})

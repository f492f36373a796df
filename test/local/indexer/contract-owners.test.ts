import { beforeEach, describe, expect, test } from 'vitest'
import { transfer } from '../../../local/indexer/chain/movements.ts'
import { give } from '../../../local/indexer/holdings.ts'
import {
  contract,
  deploy,
  other,
  polygon,
  type Query,
  startIndexerForTests,
  wallet,
} from './indexer-calls.ts'

const { chain, clock, indexer, read, refused, world } = await startIndexerForTests()
const token = (tokenId: string) => ({ network: polygon, address: contract, tokenId }) as const

const page = async (query: Query = {}) => {
  const all = { contractAddress: contract, withTokenBalances: 'true', ...query }
  return JSON.parse((await read('getOwnersForContract', all)).text)
}

const entry = (ownerAddress: string, ...tokens: [tokenId: string, balance: string][]) => ({
  ownerAddress,
  tokenBalances: tokens.map(([tokenId, balance]) => ({ tokenId, balance })),
})

beforeEach(() => {
  deploy(world, 'ERC1155')
  give(world, token('10'), wallet, 2n ** 255n)
  give(world, token('9'), wallet)
  give(world, token('9'), other, 3n)
})

describe('getOwnersForContract', () => {
  test('returns the owners with what they hold, and states no block', async () => {
    expect(await page()).toEqual({
      owners: [entry(wallet, ['9', '1'], ['10', `${2n ** 255n}`]), entry(other, ['9', '3'])],
      pageKey: null,
    })
    expect(indexer.requests.get('getOwnersForContract')).toBe(1)
  })

  test('returns only addresses without withTokenBalances', async () => {
    expect(await page({ withTokenBalances: 'false' })).toEqual({
      owners: [wallet, other],
      pageKey: null,
    })
  })

  test('returns pages, which neither skip nor repeat an owner when another one comes', async () => {
    chain.maxOwners = 1
    const first = await page()
    expect(first.owners).toHaveLength(1)
    give(world, token('1'), `0x${'0'.repeat(40)}`)
    const second = await page({ pageKey: first.pageKey })
    expect(second).toEqual({ owners: [entry(other, ['9', '3'])], pageKey: null })
  })

  test('lags with the index', async () => {
    transfer(world, token('9'), { from: other, to: wallet, amount: 3n }, clock.now)
    transfer(world, token('9'), { from: wallet, to: wallet }, clock.now)
    expect((await page()).owners).toHaveLength(1)
    chain.indexLagSeconds = 0
    expect((await page()).owners).toEqual([
      entry(wallet, ['9', '1'], ['10', `${2n ** 255n}`]),
      entry(other, ['9', '3']),
    ])
  })

  test('returns nobody of a contract that nobody knows, and rejects other parameters', async () => {
    expect(await page({ contractAddress: other })).toEqual({ owners: [], pageKey: null })
    const wrong = [{ contractAddress: '0x1' }, { withTokenBalances: 'yes' }, { pageKey: 'next' }]
    for (const query of wrong) {
      const { status } = await refused('getOwnersForContract', {
        contractAddress: contract,
        ...query,
      })
      expect(status).toBe(400)
    }
  })
})

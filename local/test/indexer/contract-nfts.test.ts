import { beforeEach, describe, expect, test } from 'vitest'
import { give, ownedBy, take } from '../../indexer/holdings.ts'
import {
  address,
  contract,
  deploy,
  numbered,
  other,
  place,
  type Query,
  startIndexerForTests,
  token,
  wallet,
} from './indexer-calls.ts'

const { indexer, read, refused, world } = await startIndexerForTests()

interface Page {
  nfts: { tokenId: string }[]
  pageKey?: string
}

const page = async (query: Query): Promise<Page> => {
  const { status, text } = await read('getNFTsForContract', { contractAddress: contract, ...query })
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

const tokenIdsOf = ({ nfts }: Page) => nfts.map(({ tokenId }) => tokenId)

describe('getNFTsForContract', () => {
  test('returns each NFT that has an owner once, over all pages, in the order of token identifiers', async () => {
    const largest = String(2n ** 256n - 1n)
    ownedBy(world, place, wallet, [...numbered(150).reverse(), largest])
    ownedBy(world, place, other, ['149', '1000'])
    ownedBy(world, { ...place, network: 'bnb-mainnet' }, wallet, ['2000'])
    take(world, { ...place, tokenId: '7' }, wallet)
    const first = await page({})
    expect(first.pageKey).toMatch(/^0x[0-9a-f]{64}$/)
    const second = await page({ pageKey: first.pageKey ?? '' })
    expect(second).not.toHaveProperty('pageKey')
    const minted = numbered(150).filter((tokenId) => tokenId !== '7')
    expect([...tokenIdsOf(first), ...tokenIdsOf(second)]).toEqual([...minted, '1000', largest])
    expect(tokenIdsOf(first)).toHaveLength(100)
    expect(indexer.requests.get('getNFTsForContract')).toBe(2)
  })

  test('begins at any token identifier, which is a page key or a start token', async () => {
    ownedBy(world, place, wallet, numbered(10))
    for (const name of ['pageKey', 'startToken']) {
      expect(tokenIdsOf(await page({ [name]: '8' }))).toEqual(['8', '9'])
      expect(tokenIdsOf(await page({ [name]: '0x8', limit: '1' }))).toEqual(['8'])
    }
  })

  test('lists an NFT that is minted between two pages', async () => {
    ownedBy(world, place, wallet, ['1', '2'])
    const { pageKey = '' } = await page({ limit: '1' })
    give(world, { ...place, tokenId: '3' }, wallet)
    expect(tokenIdsOf(await page({ pageKey }))).toEqual(['2', '3'])
  })

  test('returns no NFTs of a contract that nobody knows, and rejects other parameters', async () => {
    expect(await page({})).toEqual({ nfts: [] })
    for (const [query, message] of [
      [{ contractAddress: '0x1' }, 'contractAddress must be a valid address'],
      [{ contractAddress: contract, limit: '101' }, 'limit must be between 1 and 100'],
      [
        { contractAddress: contract, startToken: 'first' },
        'tokenId must be a valid token identifier',
      ],
    ] as const) {
      expect(await refused('getNFTsForContract', query)).toEqual({ status: 400, message })
    }
  })
})

const ownersPage = async (query: Query = {}) => {
  const { text } = await read('getOwnersForContract', { contractAddress: contract, ...query })
  return JSON.parse(text)
}

const entry = (ownerAddress: string, ...tokens: [tokenId: string, balance: string][]) => ({
  ownerAddress,
  tokenBalances: tokens.map(([tokenId, balance]) => ({ tokenId, balance })),
})

describe('getOwnersForContract', () => {
  beforeEach(() => {
    deploy(world, 'ERC1155')
    give(world, token('10'), wallet, 2n ** 255n)
    give(world, token('9'), wallet)
    give(world, token('9'), other, 3n)
  })

  test('returns the owners with what they hold, and states no block', async () => {
    expect(await ownersPage()).toEqual({
      owners: [entry(wallet, ['9', '1'], ['10', `${2n ** 255n}`]), entry(other, ['9', '3'])],
      pageKey: null,
    })
    expect(indexer.requests.get('getOwnersForContract')).toBe(1)
  })

  test('returns pages, which neither skip nor repeat an owner when another one comes', async () => {
    const more = numbered(49_999).map((number) => address(`1${number.padStart(5, '0')}`))
    for (const owner of more) give(world, token('1'), owner)
    const first = await ownersPage()
    expect(first.owners).toHaveLength(50_000)
    give(world, token('1'), address('a0'))
    const second = await ownersPage({ pageKey: first.pageKey })
    expect(second).toEqual({ owners: [entry(more.at(-1) ?? '', ['1', '1'])], pageKey: null })
  })

  test('returns nobody of a contract that nobody knows, and rejects other parameters', async () => {
    expect(await ownersPage({ contractAddress: other })).toEqual({ owners: [], pageKey: null })
    for (const wrong of [{ contractAddress: '0x1' }, { pageKey: 'next' }]) {
      const query = { contractAddress: contract, ...wrong }
      expect(await refused('getOwnersForContract', query)).toMatchObject({ status: 400 })
    }
  })
})

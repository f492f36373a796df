import { describe, expect, test } from 'vitest'
import {
  type AllowedNft,
  allowedNfts,
  allowedPages,
  allowlist,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

const largest = (2n ** 256n - 1n).toString()
const [low, high] = [`0x0${'a'.repeat(39)}`, `0xf${'a'.repeat(39)}`]

/** The allowlist of {@link mixedProduct}, in the order of D18. */
const mixed: AllowedNft[] = [
  ...['0', '9', '10', '99', '100'].map((tokenId) => ({ tokenId, address: low, chain: 'BSC' })),
  ...['5'].map((tokenId) => ({ tokenId, address: high, chain: 'BSC' })),
  ...['3', '20', largest].map((tokenId) => ({ tokenId, address: low, chain: 'POLYGON' })),
  ...['1', '2', '3'].map((tokenId) => ({ tokenId, address: high, chain: 'POLYGON' })),
]

/** A product with NFTs of two contracts on two chains, allowlisted in arbitrary order. */
async function mixedProduct(): Promise<string> {
  const apiKey = await newProduct()
  const scrambled = mixed.toSorted((a, b) => (a.tokenId + a.chain < b.tokenId + b.chain ? 1 : -1))
  for (const { tokenId, address, chain } of scrambled) {
    await allowlist(call, apiKey, { contractAddress: address, chain, tokens: [tokenId] })
  }
  return apiKey
}

/** A mixed product that tests only read. */
const mixedToRead = mixedProduct()

const page = async (apiKey: string, query: Record<string, string | string[]>) =>
  await call('GET /product/tokens', { apiKey, query })

describe('4.4 Get allowed NFTs', () => {
  test('a new product has an empty allowlist', async () => {
    expect(await allowedNfts(call, await newProduct())).toEqual([])
  })

  test('D18: the order is chain, address, then the token identifier as a number', async () => {
    expect(await allowedNfts(call, await mixedToRead)).toEqual(mixed)
  })

  test('D18: pages of 5 NFTs make up the same list', async () => {
    const limit = 5
    const pages = await allowedPages(call, await mixedToRead, limit)
    expect(pages.flat()).toEqual(mixed)
    const full = pages.slice(0, -1)
    expect(full.map(({ length }) => length)).toEqual(full.map(() => limit))
    expect(pages).toHaveLength(Math.ceil(mixed.length / limit))
  })

  test('D18: the page that completes the list has no cursor', async () => {
    const apiKey = await mixedToRead
    const exactly = await page(apiKey, { limit: String(mixed.length) })
    expect(exactly.json).toEqual({ data: mixed, success: true })
    const oneLess = await page(apiKey, { limit: String(mixed.length - 1) })
    expect(oneLess.json).toEqual({
      data: mixed.slice(0, -1),
      success: true,
      nextCursor: expect.any(String),
    })
  })
})

describe('4.4 The cursor', () => {
  const cursorAfter = async (apiKey: string, entries: number): Promise<string> =>
    (await page(apiKey, { limit: String(entries) })).json.nextCursor

  test('D18: a cursor of another product gives no access to that product', async () => {
    const theirs = await mixedToRead
    const cursor = await cursorAfter(theirs, 1)
    const mine = await newProduct()
    expect((await page(mine, { cursor })).json).toEqual({ data: [], success: true })
    await allowlist(call, mine, { contractAddress: high, chain: 'POLYGON', tokens: ['77'] })
    const own = [{ tokenId: '77', address: high, chain: 'POLYGON' }]
    expect((await page(mine, { cursor })).json).toEqual({ data: own, success: true })
  })

  test('D18: a malformed cursor is 400', async () => {
    const apiKey = await mixedToRead
    const cursor = await cursorAfter(apiKey, 3)
    for (const text of ['nonsense', `${cursor}=`]) {
      expect(expectProblem(await page(apiKey, { cursor: text }), 'invalid_request')).toEqual([
        { in: 'query', path: 'cursor', message: 'is not a cursor that was given out here' },
      ])
    }
  })
})

import { describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
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

  test.each([1, 2, 5, 6, 11])('D18: pages of %i NFTs make up the same list', async (limit) => {
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

  test('D4: an empty limit and an empty cursor are the same as none', async () => {
    const { json } = await page(await mixedToRead, { limit: '', cursor: '' })
    expect(json.data).toEqual(mixed)
  })

  test('D2, D4: the response names both a bad limit and a repeated cursor', async () => {
    const answer = await page(await newProduct(), { limit: '0', cursor: ['a', 'b'] })
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      { in: 'query', path: 'limit', message: 'must be a whole number from 1 to 10000' },
      { in: 'query', path: 'cursor', message: 'was sent 2 times; send it once' },
    ])
  })
})

describe('4.4 The cursor', () => {
  const cursorAfter = async (apiKey: string, entries: number): Promise<string> =>
    (await page(apiKey, { limit: String(entries) })).json.nextCursor

  test('D18: continues at its position, with any limit, any number of times', async () => {
    const apiKey = await mixedToRead
    const cursor = await cursorAfter(apiKey, 4)
    for (const limit of ['', '10000', '1', '3']) {
      const { json } = await page(apiKey, { cursor, limit })
      expect(json.data).toEqual(mixed.slice(4, limit ? 4 + Number(limit) : undefined))
    }
  })

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
    const sealed = (text: string) => Buffer.from(text).toString('base64url')
    const malformed = [
      'nonsense',
      '%00',
      cursor.slice(1),
      `${cursor}!`,
      `${cursor}=`,
      ` ${cursor}`,
      sealed('BSC'),
      sealed(`bsc/${low}/1`),
      sealed(`BSC/${low}/-1`),
      sealed(`BSC/${low}/01`),
      sealed(`BSC/${low.toUpperCase().replace('X', 'x')}/1`),
      'x'.repeat(5000),
    ]
    for (const text of malformed) {
      expect(expectProblem(await page(apiKey, { cursor: text }), 'invalid_request')).toEqual([
        { in: 'query', path: 'cursor', message: 'is not a cursor that was given out here' },
      ])
    }
  })
})

describe('4.4 Long lists', () => {
  const entriesOf = (address: string, count: number): AllowedNft[] =>
    numbers(1, count).map((tokenId) => ({ tokenId, address, chain: 'POLYGON' }))

  // Emulators of AWS take long for so many items.
  test('D18: the whole list if it fits, otherwise pages that are complete and in order, without repetition', async () => {
    const apiKey = await newProduct()
    const add = (contractAddress: string, tokens: string[]) =>
      allowlist(call, apiKey, { contractAddress, tokens })
    await Promise.all([add(high, numbers(1, 3_000)), add(low, numbers(1, 7_000))])
    expect((await page(apiKey, {})).json).toEqual({
      data: [...entriesOf(low, 7_000), ...entriesOf(high, 3_000)],
      success: true,
    })

    await add(high, numbers(3_001, 5_000))
    const entries = [...entriesOf(low, 7_000), ...entriesOf(high, 5_000)]
    const pages = await allowedPages(call, apiKey)
    expect(pages.map(({ length }) => length)).toEqual([10_000, 2_000])
    expect(pages.flat()).toEqual(entries)
    expect(await allowedPages(call, apiKey, 10_000)).toEqual(pages)
    // The second page begins within a contract, and so does the third.
    const small = await allowedPages(call, apiKey, 2_999)
    expect(small.map(({ length }) => length)).toEqual([2_999, 2_999, 2_999, 2_999, 4])
    expect(small.flat()).toEqual(entries)
  })
})

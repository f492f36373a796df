import { describe, expect, test } from 'vitest'
import { askPage, failureOf, nftJson, pageJson, readAll, stubIndexer } from './alchemy-stub.ts'

/** A page of NFTs with these token identifiers, its page key, and the total count. */
interface Page {
  tokenIds: readonly number[]
  pageKey?: string | undefined
  totalCount: number
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

/** An indexer that returns these pages by the number of the call. */
const pages = (pageOf: (call: number) => Page) =>
  stubIndexer((response, _, call) => {
    const { tokenIds, pageKey, totalCount } = pageOf(call)
    const nfts = tokenIds.map((id) => nftJson({ tokenId: `"${id}"` }))
    const body = pageJson(nfts, JSON.stringify(pageKey ?? null))
    response.end(body.replace(/"totalCount":\d+/, `"totalCount":${totalCount}`))
  })

describe('D39: pages that contradict each other are a malformed response', () => {
  const fewer = 'fewer NFTs than announced'
  const second = 'second'

  test.each<[reason: string, requests: number, pageOf: (call: number) => Page]>([
    [fewer, 1, () => ({ tokenIds: [], totalCount: 250 })],
    [fewer, 1, () => ({ tokenIds: range(0, 100), totalCount: 250 })],
    [
      fewer,
      2,
      (call) =>
        call === 0
          ? { tokenIds: range(0, 100), pageKey: second, totalCount: 250 }
          : { tokenIds: [], totalCount: 250 },
    ],
    ['only empty pages', 9, (call) => ({ tokenIds: [], pageKey: `key ${call}`, totalCount: 250 })],
    [
      'more NFTs than announced',
      4,
      (call) => ({ tokenIds: range(0, 100), pageKey: `key ${call}`, totalCount: 100 + call }),
    ],
  ])('%s, after %i pages: %#', async (reason, count, pageOf) => {
    const { indexer, requests } = await pages(pageOf)
    expect((await failureOf(readAll(indexer))).reason).toBe(`malformed answer: ${reason}`)
    expect(requests).toHaveLength(count)
  })

  test('an NFT in two pages of one request', async () => {
    const { indexer } = await pages((call) => ({
      ...{ tokenIds: [call, 7], totalCount: 4 },
      ...(call === 0 && { pageKey: second }),
    }))
    const failure = await failureOf(readAll(indexer, { isOneRequest: true }))
    expect(failure.reason).toBe('malformed answer: an NFT twice')
  })

  test.each([
    [0, 2],
    [0, 3],
    [1, 7],
    [5, 2],
    [30, 40],
  ])('page keys that form a circle, %i pages before it, %i in it', async (before, length) => {
    const { indexer, requests } = await pages((call) => ({
      tokenIds: [call],
      pageKey: `key ${call < before ? call : before + ((call - before) % length)}`,
      totalCount: 1_000_000,
    }))
    const failure = await failureOf(readAll(indexer))
    expect(failure.reason).toBe('malformed answer: page keys in a circle')
    // At the latest after the first power of two that lies in the circle and is as long, and a turn.
    expect(requests.length).toBeLessThanOrEqual(2 * (before + 2) + 3 * length)
  })
})

describe('D39: what can happen while a wallet is read is accepted', () => {
  test.each<[string, number, (call: number) => Page]>([
    [
      'an empty last page',
      200,
      (call) =>
        call < 2
          ? { tokenIds: range(100 * call, 100), pageKey: `${call}`, totalCount: 200 }
          : { tokenIds: [], totalCount: 200 },
    ],
    [
      'a few empty pages',
      1,
      (call) =>
        call < 5
          ? { tokenIds: [], pageKey: `${call}`, totalCount: 1 }
          : { tokenIds: [7], totalCount: 1 },
    ],
    [
      'NFTs that leave the wallet',
      120,
      (call) =>
        call === 0
          ? { tokenIds: range(0, 100), pageKey: 'second', totalCount: 200 }
          : { tokenIds: range(100, 20), totalCount: 120 },
    ],
    [
      'NFTs that reach the wallet',
      250,
      (call) =>
        call < 2
          ? { tokenIds: range(100 * call, 100), pageKey: `${call}`, totalCount: 150 }
          : { tokenIds: range(200, 50), totalCount: 320 },
    ],
    ['NFTs that were bought and sold', 19, () => ({ tokenIds: range(0, 19), totalCount: 20 })],
    [
      'a large wallet',
      10_000,
      (call) => ({
        tokenIds: range(100 * call, 100),
        ...(call < 99 && { pageKey: `${call}` }),
        totalCount: 10_000,
      }),
    ],
  ])('%s', async (_, expected, pageOf) => {
    const { indexer } = await pages(pageOf)
    expect(await readAll(indexer, { isOneRequest: true })).toHaveLength(expected)
  })

  test('a page key of 2,048 bytes', async () => {
    const pageKey = 'k'.repeat(2_046)
    const { indexer } = await pages(() => ({ tokenIds: [7], pageKey, totalCount: 2 }))
    expect((await askPage(indexer)).pageKey).toBe(pageKey)
  })
})

import { describe, expect, test } from 'vitest'
import { keptPages } from '../../../lib/domain/reading/kept-pages.ts'
import { newReadingId, type ReadPages } from '../../../lib/domain/reading/kept-reading.ts'
import { addressOf, nft, owned } from '../../support/memory/owned-nfts.ts'

const owner = addressOf(0xa)
const now = Date.now()

/** A page with these token identifiers. */
const page = (...tokenIds: number[]) => tokenIds.map((tokenId) => owned(nft(tokenId), owner))

/** The pages of a reading with these parts, of which `undefined` is lost, and the numbers of the parts that are read. */
function readingOf(parts: readonly (ReadPages | undefined)[], limit = 4) {
  const read: number[] = []
  const kept = parts.map((pages, part) => ({
    sizes: pages?.map(({ length }) => length) ?? [2, 2],
    async read() {
      read.push(part)
      return pages
    },
  }))
  const reading = { readingId: newReadingId(now), readAt: now, parts: kept }
  return { read, pages: keptPages(reading, limit) }
}

const tokenIds = (pages: ReadPages | undefined) =>
  pages?.map((each) => each.map(({ tokenId }) => Number(tokenId)))

const sixPages = [[page(1, 2)], [page(3, 4), page(5, 6)], [page(7, 8)], [page(9), page(10)]]

describe('D91: the pages of a kept reading', () => {
  test('a request reads the parts of its pages, each one once', async () => {
    const { read, pages } = readingOf(sixPages)
    expect(pages.count).toBe(6)
    expect(tokenIds(await pages.from(0))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(read).toEqual([0, 1])
    expect(tokenIds(await pages.from(1))).toEqual([[3, 4]])
    expect(read).toEqual([0, 1])
  })

  test('a list that goes on within a part reads it and those after it that the response can need', async () => {
    const { read, pages } = readingOf(sixPages)
    expect(tokenIds(await pages.from(3))).toEqual([[7, 8], [9], [10]])
    expect(read).toEqual([2, 3])
  })

  test('a page that is larger than the response takes its part alone', async () => {
    const { read, pages } = readingOf(sixPages, 1)
    expect(tokenIds(await pages.from(2))).toEqual([[5, 6]])
    expect(read).toEqual([1])
  })

  test('no more than 12 parts are read together', async () => {
    const { read, pages } = readingOf(
      Array.from({ length: 20 }, (_, part) => [page(part)]),
      1_000,
    )
    expect(await pages.from(0)).toHaveLength(12)
    expect(read).toHaveLength(12)
    expect(await pages.from(12)).toHaveLength(8)
  })

  test('without a part that the response can need, there is none of them', async () => {
    const { pages } = readingOf([[page(1, 2)], undefined, [page(7)]])
    expect(await pages.from(0)).toBeUndefined()
    expect(tokenIds(await pages.from(3))).toEqual([[7]])
  })

  test('after the last page, there is none', async () => {
    const { pages } = readingOf(sixPages)
    expect(await pages.from(6)).toBeUndefined()
  })

  test('a wallet without NFTs has a page', async () => {
    const { pages } = readingOf([[page()]])
    expect(tokenIds(await pages.from(0))).toEqual([[]])
  })

  test('an NFT that two pages have is there once', async () => {
    const { pages } = readingOf([[page(1, 2)], [page(2, 3)], [page(4, 1)]], 10)
    expect(tokenIds(await pages.from(0))).toEqual([[1, 2], [3], [4]])
  })
})

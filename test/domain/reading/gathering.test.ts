import { describe, expect, test } from 'vitest'
import { type GatheredPage, gatherPages } from '../../../lib/domain/reading/gathering.ts'
import {
  type BegunReading,
  type GatheredReading,
  newReadingId,
  type StatedBlock,
} from '../../../lib/domain/reading/kept-reading.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

const owner = addressOf(0xa)
const scope = { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] } as const
const now = Date.now()
const blockAt = (at: number): Required<StatedBlock> => ({ number: at, at, hash: `0x${at}` })
const noHash = (at: number): StatedBlock => ({ number: at, at })

/** The page with a number, whose page key is its number, of a list of some pages. */
const pageOf = (page: number, block?: StatedBlock, count = 3): GatheredPage => ({
  pageKey: page === 0 ? undefined : `${page}`,
  nfts: [owned(nft(page), owner)],
  next: page + 1 < count ? `${page + 1}` : undefined,
  block,
})

/** A request that gathers pages, and what it keeps. `begun`: what an earlier request has kept. */
function requestOf(begun?: BegunReading) {
  const kept: Promise<GatheredReading | undefined>[] = []
  const left: GatheredReading[] = []
  const counted: string[] = []
  const gathering = gatherPages(scope, begun && { id: begun.readingId, digest: 'begun' }, {
    keep: (_, reading) => void kept.push(reading),
    async keepBegun(_, reading) {
      left.push(reading)
      return { id: reading.readingId, digest: `${left.length}` }
    },
    begun: async () => begun,
    count: (event) => void counted.push(event),
  })
  return { ...gathering, kept: () => Promise.all(kept), left, counted }
}

const pageNumbers = (reading: GatheredReading | undefined) =>
  reading?.pages.map(([first]) => Number(first?.tokenId))

const begunAt = (readAt: number, of: Partial<BegunReading> = {}): BegunReading => ({
  ...{ readingId: newReadingId(readAt), readAt, block: { number: 7, at: readAt - 20 } },
  ...{ stated: [blockAt(readAt - 20)], parts: [{ digest: 'a', sizes: [1] }] },
  ...of,
})

describe('D91: the pages that a request keeps', () => {
  test('are all pages, if it reads to the end', async () => {
    const request = requestOf()
    for (const page of [0, 1, 2]) request.add(pageOf(page))
    expect((await request.kept()).map(pageNumbers)).toEqual([[0, 1, 2]])
    expect(await request.leave('2')).toBeUndefined()
    expect(request.left).toEqual([])
  })

  test.each([
    ['within its first page', undefined, undefined],
    ['within a later page', '1', [0]],
    ['before a page that it has not read', '2', [0, 1]],
  ])('are those before its cursor, which goes on %s', async (_, pageKey, pages) => {
    const request = requestOf()
    for (const page of [0, 1]) request.add(pageOf(page))
    const position = await request.leave(pageKey)
    expect(pageNumbers(request.left[0])).toEqual(pages)
    expect(position?.digest).toBe(pages && '1')
    expect(await request.kept()).toEqual([])
  })

  test('are added to those of earlier requests', async () => {
    const begun = begunAt(now - 5_000)
    const request = requestOf(begun)
    request.add(pageOf(1, blockAt(now - 1_000)))
    expect(await request.leave('2')).toEqual({ id: begun.readingId, digest: '1' })
    request.add(pageOf(2, blockAt(now)))
    const [reading] = await request.kept()
    for (const each of [request.left[0], reading]) {
      expect(each).toMatchObject({ readAt: now - 5_000, block: begun.block, parts: begun.parts })
    }
    expect(pageNumbers(reading)).toEqual([1, 2])
    expect(reading?.stated?.map(({ at }) => at)).toEqual([now - 5_020, now - 1_000, now])
  })

  test('are none if the cursor goes on within the page with which it began', async () => {
    const begun = begunAt(now - 5_000)
    const request = requestOf(begun)
    request.add(pageOf(1))
    expect(await request.leave('1')).toEqual({ id: begun.readingId, digest: 'begun' })
    expect(request.left).toEqual([])
  })

  test('are none if what earlier requests have kept is gone', async () => {
    const gathering = gatherPages(
      scope,
      { id: newReadingId(now), digest: 'gone' },
      {
        keep: async (_, reading) => expect(await reading).toBeUndefined(),
        keepBegun: () => Promise.reject(new Error('not kept')),
        begun: async () => undefined,
        count: () => undefined,
      },
    )
    gathering.add(pageOf(1))
    expect(await gathering.leave('2')).toBeUndefined()
    gathering.add(pageOf(2))
    expect.assertions(2)
  })

  test('are none if they have too much metadata, which is counted', async () => {
    const request = requestOf()
    const metadata = { text: 'a'.repeat(1_000_000) }
    const nfts = Array.from({ length: 17 }, (_, id) => ({ ...owned(nft(id), owner), metadata }))
    request.add({ ...pageOf(0), nfts })
    expect(request.counted).toEqual([])
    request.add({ ...pageOf(1), nfts })
    expect(request.counted).toEqual(['tooLarge'])
    expect(await request.leave('2')).toBeUndefined()
    request.add(pageOf(2))
    expect(await request.kept()).toEqual([])
  })
})

describe('D91: a reading of several requests', () => {
  /** The reading of a request that goes on in another one, and reads the last page with a block. */
  async function readingOf(begun: BegunReading, block: StatedBlock | undefined) {
    const request = requestOf(begun)
    request.add(pageOf(2, block))
    return (await request.kept())[0]
  }

  test('has the earliest block of all pages', async () => {
    const begun = begunAt(now - 5_000)
    expect((await readingOf(begun, blockAt(now - 9_000)))?.block).toEqual({
      number: now - 9_000,
      at: now - 9_000,
    })
    expect((await readingOf(begun, blockAt(now)))?.block).toEqual(begun.block)
  })

  test.each([
    ['the last page states none', begunAt(now), undefined],
    ['an earlier page states none', begunAt(now, { block: undefined }), blockAt(now)],
  ])('has no block if %s', async (_, begun, block) => {
    expect((await readingOf(begun, block))?.block).toBeUndefined()
  })

  test.each([
    ['the last page states none', begunAt(now), noHash(now)],
    ['an earlier page states none', begunAt(now, { stated: undefined }), blockAt(now)],
  ])('has no hashes if %s', async (_, begun, block) => {
    expect((await readingOf(begun, block))?.stated).toBeUndefined()
  })

  test('has a block once that several pages state', async () => {
    const begun = begunAt(now)
    const [block] = begun.stated ?? []
    expect((await readingOf(begun, block))?.stated).toEqual([block])
  })
})

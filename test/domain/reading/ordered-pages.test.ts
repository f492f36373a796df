import { describe, expect, test, vi } from 'vitest'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { CallsSpent } from '../../../lib/domain/limit/reservation.ts'
import { type Budget, type PageItem, readPages } from '../../../lib/domain/reading/ordered-pages.ts'
import type { PageMark, ReadingPosition } from '../../../lib/domain/reading/reading-position.ts'

interface Item extends PageItem {
  name: string
}

/** Sources as pages of item names. An Error stands for a page that cannot be read. */
type Pages = readonly (readonly string[] | Error)[]

const ample: Budget = {
  limit: 1_000,
  maxSize: 1_000_000,
  maxPages: 64,
  until: Number.POSITIVE_INFINITY,
}

/** Reads sources with items of size 10, and records which pages are read. */
function reading(
  sources: readonly Pages[],
  budget: Partial<Budget> = {},
  onFailure = () => undefined as unknown,
) {
  const requests: string[] = []
  const readPage = async (source: Pages, pageKey = '0') => {
    requests.push(`${sources.indexOf(source)}.${pageKey}`)
    await new Promise((resolve) => setImmediate(resolve))
    const page = source[Number(pageKey)] as Pages[number]
    if (page instanceof Error) {
      onFailure()
      throw page
    }
    const items = page.map((name): Item => ({ name, size: 10, mark: () => name as PageMark }))
    const next = Number(pageKey) + 1
    return { items, next: next < source.length ? `${next}` : undefined }
  }
  const read = async (start?: ReadingPosition) => {
    const { items, next } = await readPages(
      sources,
      start,
      { ...ample, ...budget },
      (source, { pageKey }) => readPage(source, pageKey),
    )
    return { names: items.map(({ name }) => name).join(''), next }
  }
  return { read, requests }
}

const letters = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + from + index))

describe('D25: reading paged sources in order', () => {
  test('D25: reads all pages of a source and then the pages of the next source', async () => {
    const { read, requests } = reading([[['a', 'b'], ['c']], [[]], [['d'], [], ['e']]])
    expect(await read()).toEqual({ names: 'abcde', next: undefined })
    expect(requests.sort()).toEqual(['0.0', '0.1', '1.0', '2.0', '2.1', '2.2'])
  })

  test('D25: the limit ends the reading within a page, and the next part continues there', async () => {
    const { read } = reading([[['a', 'b', 'c'], ['d']], [['e']]], { limit: 2 })
    const first = await read()
    expect(first).toEqual({ names: 'ab', next: { source: 0, returned: ['a', 'b'] } })
    const second = await read(first.next)
    expect(second).toMatchObject({ names: 'cd', next: { source: 1, returned: [] } })
    expect(await read(second.next)).toEqual({ names: 'e', next: undefined })
  })

  test('D25: reads no page that the response cannot need', async () => {
    const pages = Array.from({ length: 10 }, (_, page) => letters(100, page * 100))
    const { read, requests } = reading([pages], { limit: 250 })
    expect((await read()).names).toHaveLength(250)
    expect(requests).toEqual(['0.0', '0.1', '0.2'])
  })

  test('D25: returns 64 pages of many sources in order, although sources are read ahead', async () => {
    const { read, requests } = reading(letters(90).map((letter) => [[letter]]))
    const { names, next } = await read()
    expect(names).toBe(letters(64).join(''))
    expect(requests).toHaveLength(64)
    expect((await read(next)).names).toBe(letters(26, 64).join(''))
  })

  test('D25: ends before an item that exceeds the size, but returns at least one item', async () => {
    const sources = [[['a', 'b', 'c', 'd']]]
    expect((await reading(sources, { maxSize: 30 }).read()).names).toBe('abc')
    expect((await reading(sources, { maxSize: 39 }).read()).names).toBe('abc')
    expect((await reading(sources, { maxSize: 40 }).read()).names).toBe('abcd')
    expect((await reading(sources, { maxSize: 1 }).read()).names).toBe('a')
  })

  test('D25: reads at least one page after the deadline, so that following cursors makes progress', async () => {
    const sources = [[['a'], ['b']], [['c']]]
    const { read, requests } = reading(sources, { until: 0 })
    const first = await read()
    expect(first).toMatchObject({ names: 'a', next: { source: 0, pageKey: '1' } })
    expect(requests).toEqual(['0.0'])
    const second = await read(first.next)
    expect(second).toEqual({ names: 'b', next: { source: 1, returned: [] } })
    expect(await read(second.next)).toEqual({ names: 'c', next: undefined })
  })

  test('D25: a page key is valid for nine minutes from its page, also when that page is cut again', async () => {
    const { read } = reading([[['a'], ['b', 'c', 'd']]], { limit: 1 })
    const before = Date.now()
    const { next } = await read()
    expect(next?.expiresAt).toBeGreaterThanOrEqual(before + 540_000)
    expect(next?.expiresAt).toBeLessThanOrEqual(Date.now() + 540_000)
    const old = { ...(next as ReadingPosition), expiresAt: 5 }
    expect((await read(old)).next).toEqual({ ...old, returned: ['b'] })
  })
})

describe('D78: reading on until no call of the indexer is left', () => {
  const spent = new CallsSpent({ name: 'indexer_calls_by_day', count: 3, perSeconds: 86_400 }, 60)

  test('D78: the pages before are the result, and the next part continues at the page without a call', async () => {
    const { read } = reading([[['a'], ['b']], [['c'], spent], [['d']]])
    expect(await read()).toMatchObject({ names: 'abc', next: { source: 1, pageKey: '1' } })
  })

  test('D78: a part without NFTs is a result too', async () => {
    const { read } = reading([[[], spent]])
    expect(await read()).toMatchObject({ names: '', next: { source: 0, pageKey: '1' } })
  })

  test('D78: a reading without a page is refused', async () => {
    const { read } = reading([[spent], [['a']]])
    await expect(read()).rejects.toBe(spent)
  })

  test('D156: a reading that may make no call at all is refused, also after pages of what is kept', async () => {
    const refused = new RateLimited(spent.limit, 60)
    const { read } = reading([[['a']], [refused]])
    await expect(read()).rejects.toBe(refused)
  })
})

describe('D25: NFTs that change hands while a page is read in parts', () => {
  test.each([
    ['a returned item leaves the page', ['b', 'c', 'd'], 'cd'],
    ['one arrives ahead of them', ['x', 'a', 'b', 'c', 'd'], 'xcd'],
    ['all returned items leave the page', ['c', 'd'], 'cd'],
    ['the order is another', ['d', 'b', 'a', 'c'], 'dc'],
  ])('%s: no other NFT is missed or repeated', async (_, then, rest) => {
    const { next } = await reading([[['a', 'b', 'c', 'd']]], { limit: 2 }).read()
    expect(await reading([[then]]).read(next)).toEqual({ names: rest, next: undefined })
  })

  test('D25: an NFT that was returned is not repeated when others move it to the next page', async () => {
    const { next } = await reading([[['c', 'd']]], { limit: 1 }).read()
    const later = [
      ['a', 'b'],
      ['c', 'd'],
    ]
    const second = await reading([later], { limit: 2 }).read(next)
    expect(second.names).toBe('ab')
    const third = await reading([later]).read(second.next)
    expect(third).toEqual({ names: 'd', next: undefined })
  })
})

describe('D30: pages that cannot be read', () => {
  const down = new Error('down')

  test('D25: a failure after the deadline leaves the items that were read before', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    const { read } = reading([[['a'], down]], { until: 10 }, () => vi.setSystemTime(10))
    const answer = read()
    expect(await answer).toMatchObject({ names: 'a', next: { source: 0, pageKey: '1' } })
    vi.useRealTimers()
  })

  test.each([
    ['the first', [[down]]],
    ['a later page', [[['a'], down]]],
    ['a later source', [[['a']], [['b']], [down]]],
  ])('D30: %s fails the response that needs it', async (_, sources) => {
    await expect(reading(sources).read()).rejects.toBe(down)
  })

  test.each([
    ['a source behind a full answer', [[['a', 'b']], [down]]],
    ['a source behind one that overflows', [[['a', 'b', 'c']], [down]]],
    [
      'a page behind a full answer',
      [
        [['a'], [], []],
        [['b'], down],
      ],
    ],
    ['a source read far ahead', [[['a'], ['b']], [[]], [[]], [down]]],
  ])('%s does not fail the response', async (_, sources) => {
    const { read } = reading(sources, { limit: 2 })
    expect((await read()).names).toBe('ab')
  })

  test('the next part continues at the page that could not be read', async () => {
    const sources: Pages[] = [[['a', 'b']], [down]]
    const { next } = await reading(sources, { limit: 2 }).read()
    expect(next).toEqual({ source: 1, returned: [] })
  })

  test('reading ahead stops when the response has failed', async () => {
    const { read, requests } = reading([
      [down],
      ...letters(7).map((letter) => [[letter], [letter]]),
    ])
    await expect(read()).rejects.toBe(down)
    const before = requests.length
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(requests.length - before).toBe(0)
    expect(requests).toHaveLength(8)
  })
})

test('a first source that can fill the result is read before the others are asked', async () => {
  const sources: Pages[] = [[letters(2), letters(2, 2)], [letters(1, 4)]]
  const alone = reading(sources, { limit: 2, isFirstAlone: true })
  expect((await alone.read()).names).toBe(letters(2).join(''))
  expect(alone.requests).toEqual(['0.0'])
  const concurrent = reading(sources, { limit: 2 })
  await concurrent.read()
  expect(concurrent.requests).toEqual(['0.0', '1.0'])
  const all = reading(sources, { isFirstAlone: true })
  expect((await all.read()).names).toBe(letters(5).join(''))
})

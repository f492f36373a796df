import { CallsSpent } from '../limit/reservation.ts'
import type { Deadline } from '../time-budget.ts'
import {
  type KeptPosition,
  type PageMark,
  pageLifetimeMilliseconds,
  type ReadingPosition,
  type ReadingProgress,
} from './reading-position.ts'

/** The number of sources that are read at the same time. */
export const sourcesAtOnce = 8

/** An item of a page. */
export interface Found {
  /** The part of the budget's size that the item takes. */
  size: number
  mark(): PageMark
}

/** The limits of one reading. */
export interface Budget {
  limit: number
  maxSize: number
  maxPages: number
  /** After this moment no further page is started. */
  until: Deadline
}

interface Page<Item> {
  position: ReadingPosition
  found: Item[]
  moment: number | undefined
}

/** A page as its source returns it. */
export interface SourcePage<Item> {
  found: Item[]
  /** The moment of which the page speaks, in milliseconds since 1970; absent if it always speaks of now. */
  moment?: number | undefined
  /** The page key of the next page, and the progress with this page. */
  next?: string | undefined
  progress?: ReadingProgress | undefined
  /** The kept reading that the page and those after it are read from. */
  reading?: KeptPosition | undefined
}

/** The result of a reading. */
export interface ReadResult<Item> {
  found: Item[]
  /** The position to continue at; absent at the end of the sources. */
  next?: ReadingPosition
  /** The pages of the result: the moments of which they speak, and whether a kept reading was used as stale. */
  used: { moment: number | undefined; isStale: boolean }[]
}

interface SourceReading<Item> {
  pages: Page<Item>[]
  /** The position to continue at; absent at the end of the source. */
  next?: ReadingPosition
  /** The error that ended the reading at this position. */
  failure?: unknown
}

/**
 * Reads paged sources in order, within a budget. Returns their items and, unless the sources are read
 * to their end, the position to continue at. Up to eight sources are read at the same time, but no further
 * ahead than the result may need. At least one page is read even after the deadline, so that following
 * cursors always makes progress. Throws an error of `readPage` if the result needs that page; after the
 * deadline, and when no call of the indexer is left (D78), the pages before it are the result.
 */
export async function readPages<Source, Item extends Found>(
  sources: readonly Source[],
  start: ReadingPosition | undefined,
  budget: Budget,
  readPage: (source: Source, position: ReadingPosition) => Promise<SourcePage<Item>>,
): Promise<ReadResult<Item>> {
  const first = start?.source ?? 0
  const tallies = sources.map(() => ({ items: 0, size: 0 }))
  const readings = new Map<number, Promise<SourceReading<Item>>>()
  const pages: Page<Item>[] = []
  let pagesRead = 0
  let isOver = false
  try {
    for (let head = first; head < sources.length; head += 1) {
      for (let source = head; source < head + sourcesAtOnce; source += 1) startReading(source)
      const reading = await (readings.get(head) as Promise<SourceReading<Item>>)
      pages.push(...reading.pages)
      if ('failure' in reading && isNeeded(head, reading.failure)) throw reading.failure
      if (reading.next) return cut(pages, budget, reading.next)
    }
    return cut(pages, budget)
  } finally {
    // Sources that are read ahead stop after their current page.
    isOver = true
  }

  function startReading(source: number): void {
    if (source < sources.length && !readings.has(source)) readings.set(source, readSource(source))
  }

  async function readSource(source: number): Promise<SourceReading<Item>> {
    const read: Page<Item>[] = []
    let position: ReadingPosition = start?.source === source ? start : { source, returned: [] }
    try {
      while (mayContinue(source)) {
        pagesRead += 1
        const page = await readPage(sources[source] as Source, position)
        const { next: pageKey, progress, reading, moment } = page
        const found = notReturned(page.found, position)
        const expiresAt = expiryAfter(position, reading)
        // A cursor within the page goes on in the same reading.
        read.push({
          position: reading ? { ...position, reading, expiresAt } : position,
          found,
          moment,
        })
        tally(source, found)
        if (pageKey === undefined) return { pages: read }
        const returned = notYetSeen(position, page.found)
        position = { source, pageKey, returned, progress, reading, expiresAt }
      }
      return { pages: read, next: position }
    } catch (failure) {
      return { pages: read, next: position, failure }
    }
  }

  function tally(source: number, found: Item[]): void {
    const sum = tallies[source] as { items: number; size: number }
    sum.items += found.length
    sum.size += found.reduce((size, item) => size + item.size, 0)
  }

  /** Whether a page of this source may be started: the budget allows it and the result may need it. */
  function mayContinue(source: number): boolean {
    const isSpent = pagesRead >= budget.maxPages || Date.now() >= budget.until
    return !isOver && (pagesRead === 0 || !isSpent) && hasRoomAfter(source)
  }

  /** Whether the result needs the page of this source that failed. */
  function isNeeded(source: number, failure: unknown): boolean {
    const isOutOfBudget = failure instanceof CallsSpent || Date.now() >= budget.until
    return hasRoomAfter(source) && !(pages.length > 0 && isOutOfBudget)
  }

  /** Whether the items of this source and of all sources before it leave room in the result. */
  function hasRoomAfter(source: number): boolean {
    const upTo = tallies.slice(first, source + 1)
    const items = upTo.reduce((sum, tally) => sum + tally.items, 0)
    const size = upTo.reduce((sum, tally) => sum + tally.size, 0)
    return items < budget.limit && size < budget.maxSize
  }
}

/** All pages of a kept reading expire together, and each page key of the indexer by itself. */
const expiryAfter = ({ expiresAt }: ReadingPosition, reading: KeptPosition | undefined): Deadline =>
  (reading && expiresAt) ?? Date.now() + pageLifetimeMilliseconds

const notReturned = <Item extends Found>(found: Item[], { returned }: ReadingPosition): Item[] =>
  returned.length === 0 ? found : found.filter((item) => !returned.includes(item.mark()))

/** The most marks that go on to the next page: as many as a page has items. */
const maxMarksOfEarlierPages = 100

/** The marks of returned items that are not on their page any more. New items before them can move them to the next page. */
function notYetSeen({ returned }: ReadingPosition, found: readonly Found[]): readonly PageMark[] {
  if (returned.length === 0) return returned
  const seen = new Set(found.map((item) => item.mark()))
  return returned.filter((mark) => !seen.has(mark)).slice(-maxMarksOfEarlierPages)
}

/** The items within the budget, at least one, and the position to continue at. */
function cut<Item extends Found>(
  pages: readonly Page<Item>[],
  budget: Budget,
  next?: ReadingPosition,
): ReadResult<Item> {
  const found: Item[] = []
  const used: ReadResult<Item>['used'] = []
  let size = 0
  for (const page of pages) {
    for (const [index, item] of page.found.entries()) {
      size += item.size
      if (found.length === budget.limit || (found.length > 0 && size > budget.maxSize)) {
        const marks = page.found.slice(0, index).map((returned) => returned.mark())
        if (index > 0) used.push(useOf(page))
        return {
          found,
          used,
          next: { ...page.position, returned: [...page.position.returned, ...marks] },
        }
      }
      found.push(item)
    }
    used.push(useOf(page))
  }
  return { found, used, ...(next && { next }) }
}

const useOf = ({ moment, position }: Page<unknown>) => ({
  moment,
  isStale: position.reading?.isStale ?? false,
})

import { CallsSpent } from '../limit/reservation.ts'
import type { Deadline } from '../time-budget.ts'
import {
  type PageMark,
  pageLifetimeMilliseconds,
  type ReadingPosition,
  type ReadingProgress,
} from './reading-position.ts'

/** The number of sources that are read at the same time. */
export const sourcesAtOnce = 8

export interface PageItem {
  /** The part of the budget's size that the item takes. */
  size: number
  mark(): PageMark
  /** The page key of the items after it, in a source whose items have an order of their own. */
  place?: string | undefined
}

export interface Budget {
  limit: number
  maxSize: number
  maxPages: number
  /** After this moment no further page is started. */
  until: Deadline
  /** Whether no other source is read beside the first one, which can fill the result. */
  isFirstAlone?: boolean | undefined
}

interface Page<Item> {
  position: ReadingPosition
  items: Item[]
  moment: number | undefined
}

interface SourcePage<Item> {
  items: Item[]
  /** The moment of which the page speaks, in milliseconds since 1970; absent if it always speaks of now. */
  moment?: number | undefined
  /** The page key of the next page, and the progress with this page. */
  next?: string | undefined
  progress?: ReadingProgress | undefined
}

interface ReadResult<Item> {
  items: Item[]
  /** The position to continue at; absent at the end of the sources. */
  next?: ReadingPosition
  /** The pages of the result: their sources, and the moments of which they speak. */
  used: { source: number; moment: number | undefined }[]
}

interface PagedSource<Source, Item> {
  source: Source
  index: number
  items: number
  size: number
  reading?: Promise<SourceReading<Item>>
}

interface SourceReading<Item> {
  pages: Page<Item>[]
  /** The position to continue at; absent at the end of the source. */
  next?: ReadingPosition
  failure?: unknown
}

/**
 * Reads paged sources in order, within a budget. Returns their items and, unless the sources are read
 * to their end, the position to continue at. Up to eight sources are read at the same time, but no further
 * ahead than the result may need. At least one page is read even after the deadline, so that following
 * cursors always makes progress. Throws an error of `readPage` if the result needs that page; after the
 * deadline, and when no call of the indexer is left (D78), the pages before it are the result.
 */
export async function readPages<Source, Item extends PageItem>(
  sources: readonly Source[],
  start: ReadingPosition | undefined,
  budget: Budget,
  readPage: (source: Source, position: ReadingPosition) => Promise<SourcePage<Item>>,
): Promise<ReadResult<Item>> {
  const rest = sources
    .map((source, index): PagedSource<Source, Item> => ({ source, index, items: 0, size: 0 }))
    .slice(start?.source ?? 0)
  const pages: Page<Item>[] = []
  let pagesRead = 0
  let isOver = false
  try {
    for (const [place, head] of rest.entries()) {
      const atOnce = place === 0 && budget.isFirstAlone ? 1 : sourcesAtOnce
      for (const ahead of rest.slice(place, place + atOnce)) void reading(ahead)
      const read = await reading(head)
      pages.push(...read.pages)
      if ('failure' in read && isNeeded(head, read.failure)) throw read.failure
      if (read.next) return cut(pages, budget, read.next)
    }
    return cut(pages, budget)
  } finally {
    // Sources that are read ahead stop after their current page.
    isOver = true
  }

  function reading(paged: PagedSource<Source, Item>): Promise<SourceReading<Item>> {
    paged.reading ??= readSource(paged)
    return paged.reading
  }

  async function readSource(paged: PagedSource<Source, Item>): Promise<SourceReading<Item>> {
    const read: Page<Item>[] = []
    const { index: source } = paged
    let position: ReadingPosition = start?.source === source ? start : { source, returned: [] }
    try {
      while (mayContinue(paged)) {
        pagesRead += 1
        const page = await readPage(paged.source, position)
        const { next: pageKey, progress, moment } = page
        const items = notReturned(page.items, position)
        read.push({ position, items, moment })
        paged.items += items.length
        paged.size += items.reduce((size, item) => size + item.size, 0)
        if (pageKey === undefined) return { pages: read }
        const returned = notYetSeen(position, page.items)
        const expiresAt = Date.now() + pageLifetimeMilliseconds
        position = { source, pageKey, returned, progress, expiresAt }
      }
      return { pages: read, next: position }
    } catch (failure) {
      return { pages: read, next: position, failure }
    }
  }

  /** Whether a page of this source may be started: the budget allows it and the result may need it. */
  function mayContinue(paged: PagedSource<Source, Item>): boolean {
    const isSpent = pagesRead >= budget.maxPages || Date.now() >= budget.until
    return !isOver && (pagesRead === 0 || !isSpent) && hasRoomAfter(paged)
  }

  /** Whether the result needs the page of this source that failed. */
  function isNeeded(paged: PagedSource<Source, Item>, failure: unknown): boolean {
    const isAfterPages = failure instanceof CallsSpent || Date.now() >= budget.until
    return hasRoomAfter(paged) && !(pages.length > 0 && isAfterPages)
  }

  /** Whether the items of this source and of all sources before it leave room in the result. */
  function hasRoomAfter({ index }: PagedSource<Source, Item>): boolean {
    const upTo = rest.filter((paged) => paged.index <= index)
    const items = upTo.reduce((sum, paged) => sum + paged.items, 0)
    const size = upTo.reduce((sum, paged) => sum + paged.size, 0)
    return items < budget.limit && size < budget.maxSize
  }
}

const notReturned = <Item extends PageItem>(
  items: Item[],
  { returned }: ReadingPosition,
): Item[] =>
  returned.length === 0 ? items : items.filter((item) => !returned.includes(item.mark()))

/** The most marks that go on to the next page: as many as a page has items. */
const maxMarksOfEarlierPages = 100

/** The marks of returned items that are not on their page any more. New items before them can move them to the next page. */
function notYetSeen(
  { returned }: ReadingPosition,
  items: readonly PageItem[],
): readonly PageMark[] {
  if (returned.length === 0) return returned
  const seen = new Set(items.map((item) => item.mark()))
  return returned.filter((mark) => !seen.has(mark)).slice(-maxMarksOfEarlierPages)
}

/** The items within the budget, at least one, and the position to continue at. */
function cut<Item extends PageItem>(
  pages: readonly Page<Item>[],
  budget: Budget,
  next?: ReadingPosition,
): ReadResult<Item> {
  const items: Item[] = []
  const used: ReadResult<Item>['used'] = []
  let size = 0
  for (const page of pages) {
    for (const [index, item] of page.items.entries()) {
      size += item.size
      if (items.length === budget.limit || (items.length > 0 && size > budget.maxSize)) {
        if (index > 0) used.push(useOf(page))
        return { items, used, next: positionWithin(page, index) }
      }
      items.push(item)
    }
    used.push(useOf(page))
  }
  return { items, used, ...(next && { next }) }
}

function positionWithin<Item extends PageItem>(
  { position, items }: Page<Item>,
  index: number,
): ReadingPosition {
  const before = items.slice(0, index)
  const place = before.at(-1)?.place
  // A place does not expire: each cursor has the whole lifetime.
  if (place !== undefined) return { ...position, pageKey: place, expiresAt: undefined }
  return { ...position, returned: [...position.returned, ...before.map((item) => item.mark())] }
}

const useOf = ({ moment, position: { source } }: Page<unknown>) => ({ source, moment })

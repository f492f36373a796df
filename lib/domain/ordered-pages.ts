import { type PageMark, type Place, pageLifetimeMilliseconds } from './place.ts'
import type { Deadline } from './time-budget.ts'

/** How many sources are read at the same time. */
export const sourcesAtOnce = 8

/** Something a page held. */
export interface Found {
  /** The part of the budget's size that the item takes. */
  size: number
  mark(): PageMark
}

/** Where the reading has to end early. */
export interface Budget {
  limit: number
  maxSize: number
  maxPages: number
  /** After this moment no further page is begun. */
  until: Deadline
}

interface Page<Item> {
  place: Place
  found: Item[]
}

interface SourceReading<Item> {
  pages: Page<Item>[]
  /** Where the source has to be read on; none: it was read to its end. */
  next?: Place
  /** What kept it from being read on from there. */
  failure?: unknown
}

/**
 * Reads paged sources one after the other, as far as the budget goes: their items in order, and where
 * to read on if that was not all. Up to eight sources are read at the same time, but no further ahead
 * than the answer may need. One page is read even without time, so that whoever reads on arrives.
 * Throws what `readPage` threw, if the answer needs that page; once time is up, what was read before
 * is answer enough.
 */
export async function readPages<Source, Item extends Found>(
  sources: readonly Source[],
  start: Place | undefined,
  budget: Budget,
  readPage: (
    source: Source,
    pageKey: string | undefined,
  ) => Promise<{ found: Item[]; next?: string | undefined }>,
): Promise<{ found: Item[]; next?: Place }> {
  const first = start?.source ?? 0
  const tallies = sources.map(() => ({ items: 0, size: 0 }))
  const readings = new Map<number, Promise<SourceReading<Item>>>()
  const pages: Page<Item>[] = []
  let pagesRead = 0
  let isOver = false
  try {
    for (let head = first; head < sources.length; head += 1) {
      for (let source = head; source < head + sourcesAtOnce; source += 1) begin(source)
      const reading = await (readings.get(head) as Promise<SourceReading<Item>>)
      pages.push(...reading.pages)
      if ('failure' in reading && isNeeded(head)) throw reading.failure
      if (reading.next) return cut(pages, budget, reading.next)
    }
    return cut(pages, budget)
  } finally {
    // Whatever was read ahead and is not needed ends with the page it is at.
    isOver = true
  }

  function begin(source: number): void {
    if (source < sources.length && !readings.has(source)) readings.set(source, readSource(source))
  }

  async function readSource(source: number): Promise<SourceReading<Item>> {
    const read: Page<Item>[] = []
    let place: Place = start?.source === source ? start : { source, answered: [] }
    try {
      while (mayReadOn(source)) {
        pagesRead += 1
        const page = await readPage(sources[source] as Source, place.pageKey)
        const found = notAnswered(page.found, place)
        read.push({ place, found })
        tally(source, found)
        if (page.next === undefined) return { pages: read }
        const expiresAt = Date.now() + pageLifetimeMilliseconds
        place = { source, pageKey: page.next, answered: [], expiresAt }
      }
      return { pages: read, next: place }
    } catch (failure) {
      return { pages: read, next: place, failure }
    }
  }

  function tally(source: number, found: Item[]): void {
    const sum = tallies[source] as { items: number; size: number }
    sum.items += found.length
    sum.size += found.reduce((size, item) => size + item.size, 0)
  }

  /** Whether a page of this source may be begun: the budget allows it and the answer may need it. */
  function mayReadOn(source: number): boolean {
    const isSpent = pagesRead >= budget.maxPages || Date.now() >= budget.until
    return !isOver && (pagesRead === 0 || !isSpent) && hasRoomAfter(source)
  }

  /** Whether the answer cannot do without the page of this source that failed. */
  function isNeeded(source: number): boolean {
    const isLate = pages.length > 0 && Date.now() >= budget.until
    return hasRoomAfter(source) && !isLate
  }

  /** Whether what was read of this source and of all before it leaves room in the answer. */
  function hasRoomAfter(source: number): boolean {
    const upTo = tallies.slice(first, source + 1)
    const items = upTo.reduce((sum, tally) => sum + tally.items, 0)
    const size = upTo.reduce((sum, tally) => sum + tally.size, 0)
    return items < budget.limit && size < budget.maxSize
  }
}

const notAnswered = <Item extends Found>(found: Item[], { answered }: Place): Item[] =>
  answered.length === 0 ? found : found.filter((item) => !answered.includes(item.mark()))

/** As many items as the budget has room for, at least one; and where to read on. */
function cut<Item extends Found>(
  pages: readonly Page<Item>[],
  budget: Budget,
  next?: Place,
): { found: Item[]; next?: Place } {
  const found: Item[] = []
  let size = 0
  for (const page of pages) {
    for (const [index, item] of page.found.entries()) {
      size += item.size
      if (found.length === budget.limit || (found.length > 0 && size > budget.maxSize)) {
        const marks = page.found.slice(0, index).map((one) => one.mark())
        return { found, next: { ...page.place, answered: [...page.place.answered, ...marks] } }
      }
      found.push(item)
    }
  }
  return { found, ...(next && { next }) }
}

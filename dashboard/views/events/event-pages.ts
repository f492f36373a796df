import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { type EventFilter, isPast, matches } from './event-filter.ts'

/** What is read of the events of a product, newest first. */
export interface EventPages {
  readonly events: readonly ProductEvent[]
  /** Where the next page begins; absent before the first page, and after the last. */
  readonly cursor?: string
  /** Whether the last page is read. */
  readonly isLast: boolean
  /** The pages in a row that had no event that the filter shows. */
  readonly emptyPages: number
}

/** Before the first page. */
export const noPages: EventPages = { events: [], isLast: false, emptyPages: 0 }

/** A page as the client returns it. */
interface EventPage {
  readonly data: readonly ProductEvent[]
  readonly nextCursor?: string
}

/** Adds a page. */
export function withPage(pages: EventPages, page: EventPage, filter: EventFilter): EventPages {
  const { data, nextCursor } = page
  const hasShown = data.some((event) => matches(event, filter))
  return {
    events: [...pages.events, ...data],
    ...(nextCursor !== undefined && { cursor: nextCursor }),
    isLast: nextCursor === undefined,
    emptyPages: hasShown ? 0 : pages.emptyPages + 1,
  }
}

/** After so many pages without a shown event, the user decides whether to go on. */
const maxEmptyPages = 5

/** Whether no further page can have an event that the filter shows. */
export function isComplete({ events, isLast }: EventPages, filter: EventFilter): boolean {
  const oldest = events.at(-1)
  return isLast || (oldest !== undefined && isPast(oldest, filter))
}

/** Whether reading waits for the user, because many pages had nothing to show. */
export const isPaused = ({ emptyPages }: EventPages): boolean => emptyPages >= maxEmptyPages

/** The number of events of a page: more while a filter searches for a few among many. */
export const pageSize = (filter: EventFilter): number =>
  Object.keys(filter).length > 0 ? 500 : 100

import type { ProductEvent } from '../../../clients/typescript/src/types.ts'

/** What the list of events shows. A field that is absent restricts nothing. */
export interface EventFilter {
  readonly action?: string
  /** The id of the key that made or is part of the change, or {@link operator}. */
  readonly key?: string
  /** A part of the address of the contract. */
  readonly contract?: string
  readonly outcome?: string
  /** The first day, in UTC: `2026-11-01`. */
  readonly from?: string
  /** The last day, in UTC. */
  readonly to?: string
}

/** In place of a key: the operator of the service, who needs none. */
export const operator = 'operator'

const names = ['action', 'key', 'contract', 'outcome', 'from', 'to'] as const

const day = /^\d{4}-\d{2}-\d{2}$/

/** The filter in the query of the page. Values of another form are ignored. */
export function readFilter(query: URLSearchParams): EventFilter {
  const entries = names.flatMap((name) => {
    const value = query.get(name)?.trim() ?? ''
    const isValid = name === 'from' || name === 'to' ? isDay(value) : value !== ''
    return isValid ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}

const isDay = (text: string) => day.test(text) && !Number.isNaN(Date.parse(text))

/** The query of the page for a filter, with the names in a fixed order; `''` for none. */
export function writeFilter(filter: EventFilter): string {
  const query = new URLSearchParams()
  for (const name of names) if (filter[name]) query.set(name, filter[name])
  return query.toString()
}

/** Whether the list shows an event. */
export function matches(event: ProductEvent, filter: EventFilter): boolean {
  const { action, key, contract, outcome, from, to } = filter
  const eventDay = event.at.slice(0, 10)
  return (
    (!action || event.action === action) &&
    (!key || keysOf(event).includes(key)) &&
    (!contract || (event.contractAddress?.includes(contract.toLowerCase()) ?? false)) &&
    (!outcome || event.outcome === outcome) &&
    (!from || eventDay >= from) &&
    (!to || eventDay <= to)
  )
}

const keysOf = (event: ProductEvent) => {
  const { keyId, newKeyId, endedKeyId } = event
  const maker = keyId ?? (isByService(event) ? undefined : operator)
  return [maker, newKeyId, endedKeyId]
}

/** Whether the service itself made the change, for which neither a key nor the operator was needed. */
export const isByService = ({ action }: ProductEvent): boolean => action === 'pauseWebhook'

/** Whether neither this event nor an older one is shown, so that the list need not be read further. */
export const isPast = (event: ProductEvent, { from }: EventFilter): boolean =>
  from !== undefined && event.at.slice(0, 10) < from

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

import type { ProductEvent } from '../../../clients/typescript/src/types.ts'

/**
 * The fields of the filter, by their names in the query of the page. `key`: the id of the key that made or is part of the change, or
 * {@link operator}. `contract`: a part of its address. `from` and `to`: the first and the last day in UTC, `2026-11-01`.
 */
export const names = ['action', 'key', 'contract', 'outcome', 'from', 'to'] as const

/** What the list of events shows. A field that is absent restricts nothing. */
export type EventFilter = Readonly<Partial<Record<(typeof names)[number], string>>>

/** In place of a key: the operator of the service, who needs none. */
export const operator = 'operator'

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

/** After so many pages without a shown event, the user decides whether to go on. */
const maxEmptyPages = 5

/** Whether reading waits for the user, because the last of these pages have nothing to show. */
export const isPaused = (
  pages: readonly (readonly ProductEvent[])[],
  filter: EventFilter,
): boolean =>
  pages.length >= maxEmptyPages &&
  !pages.slice(-maxEmptyPages).some((page) => page.some((event) => matches(event, filter)))

/** Whether events before these cannot be shown, because they are older than the first day. */
export const isBeyond = (events: readonly ProductEvent[], { from }: EventFilter): boolean =>
  from !== undefined && events.some(({ at }) => at.slice(0, 10) < from)

/** The number of events of a page: more while a filter searches for a few among many. */
export const pageSize = (filter: EventFilter): number =>
  Object.keys(filter).length > 0 ? 500 : 100

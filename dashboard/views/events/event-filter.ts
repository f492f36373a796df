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
  const given = names.flatMap((name) => {
    const value = query.get(name)?.trim() ?? ''
    const isValid = name === 'from' || name === 'to' ? isDay(value) : value !== ''
    return isValid ? [[name, value] as const] : []
  })
  return Object.fromEntries(given)
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

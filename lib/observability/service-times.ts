/** A service that the functions call. */
export type DownstreamService =
  | 'dynamodb'
  | 'kms'
  | 'sqs'
  | 'secretsManager'
  | 'indexer'
  | 'keySet'
  | 'smartAccounts'

/** How long a request waited for each service, in milliseconds. Absent for a service that was not called. */
export type DownstreamTimes = { [time in `${DownstreamService}Milliseconds`]?: number }

/** A call to a service with all its attempts: its begin, and its end, which is NaN while it is in progress. */
export interface TimedCall {
  service: DownstreamService
  since: number
  until: number
}

/**
 * The times of calls, which are in the order of their begins, with a resolution of a tenth of a millisecond. Simultaneous
 * calls to one service count once, and those in progress so far.
 */
export function timesOf(calls: readonly TimedCall[]): DownstreamTimes {
  const now = performance.now()
  const waits: { [service in DownstreamService]?: { total: number; end: number } } = {}
  for (const { service, since, until } of calls) {
    waits[service] ??= { total: 0, end: 0 }
    const wait = waits[service]
    const end = Math.max(wait.end, Number.isNaN(until) ? now : until)
    wait.total += end - Math.max(wait.end, since)
    wait.end = end
  }
  return Object.fromEntries(
    Object.entries(waits).map(([service, { total }]) => [
      `${service}Milliseconds`,
      Math.round(total * 10) / 10,
    ]),
  )
}

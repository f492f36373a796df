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

/** The calls of a request to one service: those in progress, since when, and the time of earlier calls. */
interface Waiting {
  inProgress: number
  since: number
  earlier: number
}

/** The time that a request waits for each service. Simultaneous calls to one service count once. */
export type ServiceTimes = { [service in DownstreamService]?: Waiting }

/** Notes that a call to the service begins. Every begin needs an {@link endWaiting}. */
export function beginWaiting(times: ServiceTimes, service: DownstreamService): void {
  times[service] ??= { inProgress: 0, since: 0, earlier: 0 }
  const waiting = times[service]
  if (waiting.inProgress === 0) waiting.since = performance.now()
  waiting.inProgress += 1
}

/** Notes that a call to the service has ended. */
export function endWaiting(times: ServiceTimes, service: DownstreamService): void {
  const waiting = times[service]
  if (!waiting) return
  waiting.inProgress -= 1
  if (waiting.inProgress === 0) waiting.earlier += performance.now() - waiting.since
}

/** The times so far, with a resolution of a tenth of a millisecond. Includes calls that are in progress. */
export const timesSoFar = (times: ServiceTimes): DownstreamTimes =>
  Object.fromEntries(
    Object.entries(times).map(([service, { inProgress, since, earlier }]) => {
      const total = inProgress === 0 ? earlier : earlier + performance.now() - since
      return [`${service}Milliseconds`, Math.round(total * 10) / 10]
    }),
  )

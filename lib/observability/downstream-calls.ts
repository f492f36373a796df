import { AsyncLocalStorage } from 'node:async_hooks'

/** A service that the functions call. */
export type DownstreamService = 'dynamodb' | 'kms' | 'sqs' | 'secretsManager' | 'indexer'

/** The calls to, and failures of, each service that was called. */
export type DownstreamCounts = {
  [count in `${DownstreamService}${'Calls' | 'Failures'}`]?: number
}

const storage = new AsyncLocalStorage<DownstreamCounts>()

/**
 * Counts the calls to other services for each request, or each message of the work queue, separately.
 * Calls outside of a request are not counted.
 */
export const downstreamCalls = {
  /** Runs a request, including everything that it starts, with its own counts. */
  during: <Result>(request: () => Result): Result => storage.run({}, request),
  /** Counts one HTTP request. Each attempt counts. */
  countCall: (service: DownstreamService): void => add(service, 1, 0),
  /** Counts one call that failed after all its attempts. */
  countFailure: (service: DownstreamService): void => add(service, 0, 1),
  /** The counts of the current request so far. */
  counts: (): DownstreamCounts => ({ ...storage.getStore() }),
}

function add(service: DownstreamService, calls: number, failures: number): void {
  const counts = storage.getStore()
  if (!counts) return
  counts[`${service}Calls`] = (counts[`${service}Calls`] ?? 0) + calls
  counts[`${service}Failures`] = (counts[`${service}Failures`] ?? 0) + failures
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** A service that the functions call. */
export type DownstreamService = 'dynamodb' | 'kms' | 'sqs' | 'secretsManager' | 'indexer'

/** Both counts of each service that was needed. */
export type DownstreamCounts = {
  [count in `${DownstreamService}${'Calls' | 'Failures'}`]?: number
}

const storage = new AsyncLocalStorage<DownstreamCounts>()

/**
 * What a request, or a message of the work queue, asks of other services. What is asked outside of one,
 * or after it was told what there was, is not counted for any other.
 */
export const downstreamCalls = {
  /** Carries out a request, and whatever it sets going, with counts of its own. */
  during: <Result>(request: () => Result): Result => storage.run({}, request),
  /** Counts an HTTP request: each attempt by itself. */
  countCall: (service: DownstreamService): void => add(service, 1, 0),
  /** Counts what came to nothing in the end. */
  countFailure: (service: DownstreamService): void => add(service, 0, 1),
  /** The counts of the request under way, so far. */
  counts: (): DownstreamCounts => ({ ...storage.getStore() }),
}

function add(service: DownstreamService, calls: number, failures: number): void {
  const counts = storage.getStore()
  if (!counts) return
  counts[`${service}Calls`] = (counts[`${service}Calls`] ?? 0) + calls
  counts[`${service}Failures`] = (counts[`${service}Failures`] ?? 0) + failures
}

import { downstreamCalls } from './downstream-calls.ts'
import { requestScope } from './request-scope.ts'

/** Runs a call of the indexer with all its attempts, and notes its time for the current request, also if it fails. */
export async function timedIndexerCall<Result>(call: () => Promise<Result>): Promise<Result> {
  const time = { since: performance.now(), until: Number.NaN }
  requestScope.getStore()?.indexerCalls.push(time)
  try {
    return await downstreamCalls.timed('indexer', call)
  } finally {
    time.until = performance.now()
  }
}

/** The times of the calls of the indexer of the current request, in whole milliseconds; of one in progress, so far. */
export function indexerCallTimes(): number[] {
  const now = performance.now()
  const calls = requestScope.getStore()?.indexerCalls ?? []
  // Rounded up, because a timer may end a fraction of a millisecond before its time.
  return calls.map(({ since, until }) => Math.ceil((Number.isNaN(until) ? now : until) - since))
}

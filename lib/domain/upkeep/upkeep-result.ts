import { IndexerUnavailable } from '../failures.ts'

/** What an item of upkeep has come to, for its log line. */
export interface UpkeepResult {
  outcome: string
  /** Why, in the project's own words. */
  reason?: string | undefined
  /** The number of snapshots that an audit or a second look has ended, because they differ from the chain. */
  endedSnapshots?: number | undefined
}

/** How long work waits while the indexer is unavailable, and while too much of a limit is spent, in milliseconds. */
export const unavailablePause = 60_000
export const budgetPause = 10 * 60_000

/** Work that the indexer has not let be done. */
export interface Unavailable {
  outcome: 'unavailable'
  reason: string
}

/** Handles the failure of work: it goes on later if the indexer is down. Throws any other. */
export function unavailable(failure: unknown): Unavailable {
  if (!(failure instanceof IndexerUnavailable)) throw failure
  return { outcome: 'unavailable', reason: failure.reason }
}

/** The delay of a message that goes on after a pause, in whole seconds: SQS permits a quarter of an hour. */
export const delaySeconds = (milliseconds: number): number =>
  Math.min(Math.ceil(milliseconds / 1_000), 900)

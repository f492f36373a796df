import { IndexerUnavailable } from '../failures.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { CallBudget } from '../ports/contract-use.ts'
import type { UpkeepWork } from '../work/work-item.ts'

/** What an item of upkeep has come to, for its log line. */
export interface UpkeepResult {
  outcome: string
  /** Why, in the project's own words. */
  reason?: string | undefined
  /** The number of snapshots that an audit or a second look has ended, because they differ from the chain. */
  endedSnapshots?: number | undefined
}

/** What an item of upkeep has come to, with the item that goes on after a pause, in milliseconds. */
export interface UpkeepStep extends UpkeepResult {
  next?: { item: UpkeepWork; pause: number } | undefined
  noteAfterSending?: () => Promise<void>
}

/** How long work waits while the indexer is unavailable, and while too much of a limit is spent, in milliseconds. */
const unavailablePause = 60_000
const budgetPause = 10 * 60_000

/** Work that waits, as long as its pause, because the indexer is down or too much of a limit is spent. */
export interface Waiting extends UpkeepResult {
  outcome: 'later' | 'unavailable'
  pause: number
}

/** Handles the failure of work: it waits while the indexer is down. Throws any other. */
export function waiting(failure: unknown): Waiting {
  if (!(failure instanceof IndexerUnavailable)) throw failure
  return { outcome: 'unavailable', reason: failure.reason, pause: unavailablePause }
}

/** Does work for a contract within its budget, unless it waits. Throws what the work throws, but for IndexerUnavailable. */
export async function withinBudget<Result>(
  contract: ContractKey,
  work: () => Promise<Result>,
  callBudget: CallBudget,
): Promise<{ result: Result } | Waiting> {
  const done = async () => ({ result: await work() })
  const part = await callBudget.spend(contract, done).catch(waiting)
  return part === 'later' ? { outcome: part, pause: budgetPause } : part
}

/** The step of work that waits, after which an item goes on; absent: upkeep sends it again. */
export const goesOn = ({ pause, ...result }: Waiting, item?: UpkeepWork): UpkeepStep => ({
  ...result,
  ...(item && { next: { item, pause } }),
})

/** The delay of a message that goes on after a pause, in whole seconds: SQS permits a quarter of an hour. */
export const delaySeconds = (milliseconds: number): number =>
  Math.min(Math.ceil(milliseconds / 1_000), 900)

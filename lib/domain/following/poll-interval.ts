import type { FollowedContract, FollowPosition } from '../ports/follow-notes.ts'
import { isWatched } from './suspension.ts'

/**
 * The time without reads after which a chain is idle, in milliseconds: ten minutes, and the minute in which a read is not
 * noted because one before it was.
 */
const idleAfterMilliseconds = 11 * 60_000

/**
 * The time between two polls of a chain that nobody reads, with kept contracts and without, and of one without a leased contract, in
 * milliseconds.
 */
const idleKeptMilliseconds = 20_000
const idleMilliseconds = 30_000
const unusedMilliseconds = 60_000

/** The time between two polls of a chain that is in use, in milliseconds. */
export const pollMilliseconds = ({ followPollSeconds }: { followPollSeconds: number }): number =>
  followPollSeconds * 1_000

/**
 * The time from the end of a step to the next one, in milliseconds, by what the step has read of the use of its chain
 * (D89). The next step confirms what this one has read, because it asks a poll after the answer (D85). A chain of which no read was noted counts as read: its readers can be of a release that notes none. A chain with a watched contract is always in use (D117).
 * Where contracts are kept, it is polled so often that the confirmed block is rarely older than 45 seconds.
 */
export function pauseMilliseconds(
  { askedAt }: Pick<FollowPosition, 'askedAt'>,
  contracts: readonly FollowedContract[],
  { now, isKept }: { now: number; isKept: boolean },
  settings: { followPollSeconds: number },
): number {
  const inUse = pollMilliseconds(settings)
  if (contracts.some((contract) => isWatched(contract, now))) return inUse
  if (!isKept && !contracts.some(({ leasedUntil }) => leasedUntil > now)) return unusedMilliseconds
  const isIdle = askedAt !== undefined && now - askedAt >= idleAfterMilliseconds
  return isIdle ? Math.max(inUse, isKept ? idleKeptMilliseconds : idleMilliseconds) : inUse
}

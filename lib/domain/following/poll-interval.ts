/**
 * The time without reads after which a chain is idle, in milliseconds: ten minutes, and one in which a read is not
 * noted.
 */
const idleAfterMilliseconds = 11 * 60_000

/** The time between two polls of a chain that nobody reads, in milliseconds. */
const idleMilliseconds = 20_000

/** The time between two polls of a chain that is in use, in milliseconds. */
export const pollMilliseconds = ({ followPollSeconds }: { followPollSeconds: number }): number =>
  followPollSeconds * 1_000

interface ChainUse {
  isWatched: boolean
  isKept: boolean
  /** When the latest read of kept contracts was noted, in milliseconds since 1970; absent if nobody knows. */
  askedAt?: number | undefined
}

/**
 * The time from the end of a step to the next one, in milliseconds (D152). The next step confirms what this one has read, because it asks a
 * poll after the answer. An idle chain is polled so often that the confirmed block is rarely older than 45 seconds.
 */
export function pauseMilliseconds(
  { isWatched, isKept, askedAt }: ChainUse,
  now: number,
  settings: { followPollSeconds: number },
): number {
  const inUse = pollMilliseconds(settings)
  const isRead = isKept && (askedAt === undefined || now - askedAt < idleAfterMilliseconds)
  return isWatched || isRead ? inUse : Math.max(inUse, idleMilliseconds)
}

import { RateLimited } from '../failures.ts'

/** A request has made all indexer calls that it can reserve. What it has read by then can be its result (D78). */
export class CallsSpent extends RateLimited {}

/** Handles the failure of a part that the result can do without: `undefined` for CallsSpent. Throws any other. */
export function unlessCallsSpent(failure: unknown): undefined {
  if (!(failure instanceof CallsSpent)) throw failure
}

/**
 * Reserves up to this number of calls, at least one, and returns how many. `made`: those made so far. Throws
 * RateLimited if none is left.
 */
export type Reserve = (calls: number, made: number) => Promise<number>

/** The indexer calls of one request: no more than it has reserved (D78). */
export interface Reservation {
  /**
   * Takes a reserved call, or reserves again. Throws RateLimited before the first call, and CallsSpent after it, if
   * none is left.
   */
  take(): Promise<void>
  /** Ends the reservation, so that no further call can be taken. Returns the number of calls that were taken. */
  end(): number
}

/**
 * Begins without a call. The first call reserves as many as `expected`, and each further reservation half as many as all
 * before it together; both at least as many as the calls that wait at that moment.
 */
export function reservation(expected: number, reserve: Reserve): Reservation {
  let [reserved, taken, waiting] = [0, 0, 0]
  let isOver = false
  let reserving: Promise<void> | undefined

  async function reserveMore(): Promise<void> {
    // Calls that began at the same moment wait by then, also those that a timer of no time delays: such timers end in
    // the order in which they were set.
    await new Promise((resolve) => {
      setTimeout(resolve, 0)
    })
    reserved += await reserve(Math.max(waiting, Math.ceil(reserved / 2) || expected), taken)
  }

  async function untilReserved(): Promise<void> {
    waiting += 1
    reserving ??= reserveMore().finally(() => {
      reserving = undefined
    })
    try {
      await reserving
    } finally {
      waiting -= 1
    }
  }

  return {
    async take() {
      while (!isOver && taken >= reserved) {
        try {
          await untilReserved()
        } catch (error) {
          const isSpent = taken > 0 && error instanceof RateLimited
          throw isSpent ? new CallsSpent(error.limit, error.retryAfterSeconds) : error
        }
      }
      if (isOver) throw new Error('a call of the indexer after the end of its request')
      taken += 1
    },
    end() {
      isOver = true
      return taken
    },
  }
}

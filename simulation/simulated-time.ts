/** When each history begins. */
const beginning = Date.UTC(2026, 0, 1, 12)

/**
 * Starts the clock and the random numbers of a history. It moves only when every process waits; `Date.now()` follows
 * it.
 */
export function simulatedTime(seed: number) {
  const random = randomNumbers(seed)
  let now = beginning
  const waiting: { at: number; wake: () => void }[] = []
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

  /** Keeps the order of the times: the last one is the next to wake. */
  function insert(at: number, wake: () => void): void {
    const place = waiting.findIndex((other) => other.at <= at)
    waiting.splice(place === -1 ? waiting.length : place, 0, { at, wake })
  }

  return {
    /** Milliseconds since 1970. */
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => insert(now + Math.max(0, Math.round(milliseconds)), resolve)),
    /** A number from 0 to 1, without 1. The sequence depends on the seed only. */
    random,
    /** An integer between two integers, both included. */
    between,
    isOneOf: (count: number) => random() * count < 1,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
    /** Lets processes run until one of them has ended. Fails if all of them wait for something that cannot happen. */
    async runUntil(ended: Promise<unknown>): Promise<void> {
      let isOver = false
      const noteEnd = () => {
        isOver = true
      }
      ended.then(noteEnd, noteEnd)
      const { now: realNow } = Date
      Date.now = () => now
      try {
        while (true) {
          // Everything that does not wait for the clock runs before this returns.
          await new Promise((resolve) => setImmediate(resolve))
          if (isOver) return
          const next = waiting.pop()
          if (!next) throw new Error('every process of the history waits')
          now = Math.max(now, next.at)
          next.wake()
        }
      } finally {
        Date.now = realNow
      }
    },
  }
}

export type SimulatedTime = ReturnType<typeof simulatedTime>

/** Random numbers from 0 to 1, without 1, that are the same for each seed: the generator mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

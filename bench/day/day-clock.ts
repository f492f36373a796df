/** A clock that moves only when it is told to. */
export type DayClock = ReturnType<typeof startDayClock>

/** Starts a clock, which `Date.now` shows until the clock ends. */
export function startDayClock(start: number) {
  const realNow = Date.now
  let now = start
  const sleeping: { until: number; wake: () => void }[] = []
  Date.now = () => now

  /** Lets everything run that does not sleep. The ports of the day answer without input or output. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    /** Milliseconds since 1970. */
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((wake) => {
        sleeping.push({ until: now + milliseconds, wake })
        sleeping.sort((a, b) => a.until - b.until)
      }),
    /** Moves to a time, and before that to each time at which something that sleeps wakes up. */
    async moveTo(at: number) {
      for (let next = sleeping[0]; next && next.until <= at; next = sleeping[0]) {
        sleeping.shift()
        now = Math.max(now, next.until)
        next.wake()
        await settle()
      }
      now = Math.max(now, at)
    },
    [Symbol.dispose]() {
      Date.now = realNow
    },
  }
}

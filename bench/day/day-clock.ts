/** A clock that moves only when it is told to. */
export interface DayClock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(milliseconds: number): Promise<void>
  /** Moves to a time, and before that to each time at which something that sleeps wakes up. */
  moveTo(at: number): Promise<void>
}

/** Starts a clock, which `Date.now` shows until the clock ends. */
export function startDayClock(start: number): DayClock & Disposable {
  const realNow = Date.now
  let now = start
  const sleeping: { until: number; wake: () => void }[] = []
  Date.now = () => now

  /** Lets everything run that does not sleep. The ports of the day answer without input or output. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleeping.push({ until: now + milliseconds, wake })
        sleeping.sort((a, b) => a.until - b.until)
      }),
    async moveTo(at) {
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

/** A clock that goes on to the next moment for which somebody waits, once everybody waits. */
export function virtualClock(begin: number) {
  let time = begin
  const waiting: { at: number; wake: () => void }[] = []

  return {
    now: () => time,
    /** Waits on this clock. */
    wait: (milliseconds: number): Promise<void> =>
      new Promise((wake) => {
        waiting.push({ at: time + milliseconds, wake })
      }),
    /** Lets the clock run until a moment. */
    async runUntil(end: number): Promise<void> {
      for (;;) {
        // Everybody who does not wait for the clock comes so far that everybody does.
        await new Promise(setImmediate)
        const next = waiting.reduce((a, b) => (b.at < a.at ? b : a), {
          at: end,
          wake: () => undefined,
        })
        if (next.at >= end) break
        waiting.splice(waiting.indexOf(next), 1)
        time = next.at
        next.wake()
      }
      time = end
    },
  }
}

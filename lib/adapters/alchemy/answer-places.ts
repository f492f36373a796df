/** Waits for a place for an answer, before its body is read. Rejects when the signal aborts. */
export type TakePlace = (signal: AbortSignal) => Promise<void>

/**
 * A number of places for answers that are held in memory, which are given in the order in which answers begin. A call
 * that waits for its answer has none, so that a silent indexer keeps no other call from its place.
 */
export function answerPlaces(count: number) {
  let free = count
  const waiting = new Set<() => void>()

  function give(): void {
    const [next] = waiting
    if (!next) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  function place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(give)
        reject(signal.reason)
      }
      waiting.add(give)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    /** Runs a call that takes a place when its answer begins, and has it until the result of the call is there. */
    async during<Result>(call: (takePlace: TakePlace) => Promise<Result>): Promise<Result> {
      let hasPlace = false
      try {
        return await call(async (signal) => {
          // An attempt that is made again has the place of the one before.
          if (hasPlace) return
          await place(signal)
          hasPlace = true
        })
      } finally {
        if (hasPlace) give()
      }
    },
  }
}

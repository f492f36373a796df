/** The end of the wait for a place, in milliseconds since 1970, and the result of a task that has none by then. */
interface Wait<Result> {
  until: number
  late: Result
}

/**
 * Returns a function that runs tasks, at most `limit` at the same time; the others wait, first in, first out. A task
 * whose wait ends leaves the line and never runs.
 */
export function concurrencyLimit(
  limit: number,
): <T>(task: () => Promise<T>, wait?: Wait<T>) => Promise<T> {
  let free = limit
  const line = new Set<(hasPlace: boolean) => void>()

  const place = (until?: number) =>
    new Promise<boolean>((resolve) => {
      const leave = (hasPlace: boolean) => {
        clearTimeout(timer)
        line.delete(leave)
        resolve(hasPlace)
      }
      const timer =
        until === undefined ? undefined : setTimeout(leave, Math.max(0, until - Date.now()), false)
      line.add(leave)
    })

  return async (task, wait) => {
    if (free > 0) free -= 1
    else if (!wait) await place()
    else if (!(await place(wait.until))) return wait.late
    try {
      return await task()
    } finally {
      const [next] = line
      if (next) next(true)
      else free += 1
    }
  }
}

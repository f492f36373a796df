/** Writes that are carried out one after the other; writes that wait are carried out together. */
export interface GroupedWrites<Change> {
  /** Resolves when the changes are written; rejects with the error of the write. */
  add(changes: readonly Change[]): Promise<void>
  /** Resolves when no write is in progress or waits. */
  ended(): Promise<void>
}

interface Waiting<Change> {
  changes: readonly Change[]
  settle: (error?: unknown) => void
}

/** Returns grouped writes, which `write` carries out in the order of their arrival. */
export function groupedWrites<Change>(
  write: (changes: Change[]) => Promise<void>,
): GroupedWrites<Change> {
  let waiting: Waiting<Change>[] = []
  let running: Promise<void> | undefined
  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      const error = await write(group.flatMap(({ changes }) => changes)).then(
        () => undefined,
        (error: unknown) => error ?? new Error('The write failed.'),
      )
      for (const { settle } of group) settle(error)
    }
    running = undefined
  }
  return {
    add: (changes) =>
      new Promise((resolve, reject) => {
        const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
        waiting.push({ changes, settle })
        running ??= run()
      }),
    ended: async () => await running,
  }
}

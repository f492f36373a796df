/** The time between two messages that have the worker look after what is kept, in milliseconds. */
const upkeepMilliseconds = 20_000

/** Has the worker look after what is kept (D153): now, and every twenty seconds until a time. */
export async function askForUpkeep(
  ask: () => void,
  { now, sleep }: { now(): number; sleep(milliseconds: number): Promise<unknown> },
  until: number,
): Promise<void> {
  for (let next = now(); next < until; next += upkeepMilliseconds) {
    await sleep(Math.max(0, next - now()))
    ask()
  }
}

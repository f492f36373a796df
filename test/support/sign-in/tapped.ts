import type { Tap } from '../memory/memory-ports.ts'

/** Calls of a port, each of which takes effect at one moment between two taps. */
export const tappedBy =
  (tap: Tap) =>
  async <Result>(call: string, take: () => Result): Promise<Result> => {
    await tap(call, 'before')
    const result = take()
    await tap(call, 'after')
    return result
  }

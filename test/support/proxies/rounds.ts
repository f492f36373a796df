import { nameOf } from '../services/counted-service.ts'
import type { ProxiedRequest } from './fault-proxy.ts'

/** How long a round is waited for that does not become complete, in milliseconds. */
const patienceMilliseconds = 3_000

/**
 * Shows which requests are under way at the same time: holds each back until as many are there as its
 * round should have (1 in those past the end of `sizes`), and lets them through together. What is in
 * one round, then, does not wait for each other; what is in a later one had not been sent before.
 */
export function holdRounds(sizes: readonly number[]) {
  const rounds: string[][] = []
  let current: string[] = []
  let complete = Promise.withResolvers<void>()

  const letThrough = () => {
    rounds.push(current.sort())
    current = []
    complete.resolve()
    complete = Promise.withResolvers()
  }

  return {
    /** What the requests ask for, round by round, each in the order of names. */
    rounds,
    async onRequest(request: ProxiedRequest): Promise<undefined> {
      current.push(nameOf(request))
      const { promise } = complete
      if (current.length === (sizes[rounds.length] ?? 1)) {
        letThrough()
      } else {
        const timer = setTimeout(letThrough, patienceMilliseconds)
        await promise
        clearTimeout(timer)
      }
    },
  }
}

import { nameOf } from '../services/counted-service.ts'
import type { ProxiedRequest } from './fault-proxy.ts'

/** The maximum time to wait until a round is complete, in milliseconds: less than all attempts of a request. */
const patienceMilliseconds = 8_000

/**
 * Shows which requests run at the same time: holds each request until the number of its round in `sizes`
 * is reached (1 after the end of `sizes`), and then passes the round on. So the requests of one round do
 * not wait for each other, and the requests of a later round are sent after the end of the earlier rounds. A further
 * attempt of a request, which a slow machine can cause, belongs to the round of the first one.
 */
export function holdRounds(sizes: readonly number[]) {
  const rounds: string[][] = []
  let current: string[] = []
  let complete = Promise.withResolvers<void>()
  /** The ends of the rounds, by request. */
  const roundOf = new Map<string, Promise<void>>()

  const letThrough = () => {
    rounds.push(current.sort())
    current = []
    complete.resolve()
    complete = Promise.withResolvers()
  }

  return {
    /** The names of the requests, round by round, sorted by name. */
    rounds,
    async onRequest(request: ProxiedRequest): Promise<undefined> {
      if (request.attempt > 1) {
        await roundOf.get(request.id)
        return
      }
      const { promise } = complete
      roundOf.set(request.id, promise)
      current.push(nameOf(request))
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

import { setTimeout as sleep } from 'node:timers/promises'
import { IndexerUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { exchange, FailedExchange, type HttpRequest } from './http-exchange.ts'

const maxAttempts = 3

/** The mean of the first pause between two attempts, in milliseconds; each further one is twice that. */
const firstPauseMs = 150

/**
 * Asks the indexer and answers the body of its 200. All of it, connection, attempts, pauses and body,
 * ends within `timeoutMs`. A throttled or overloaded indexer (429, 503) and a connection reset before
 * any answer get up to two more attempts, no sooner than Retry-After says, if there is time for that.
 * Whatever goes wrong is an IndexerUnavailable that tells neither the URL nor what upstream said (D30).
 */
export async function indexerRequest(request: HttpRequest, timeoutMs: number): Promise<Buffer> {
  const until = performance.now() + timeoutMs
  const signal = AbortSignal.timeout(timeoutMs)
  for (let attempt = 1; ; attempt += 1) {
    downstreamCalls.countCall('indexer')
    try {
      return await exchange(request, signal)
    } catch (error) {
      if (signal.aborted) throw new IndexerUnavailable(`timed out after ${timeoutMs} ms`)
      if (!(error instanceof FailedExchange) || !error.passing) throw error
      const wait = error.waitSeconds * 1000 + pauseMs(attempt)
      if (attempt === maxAttempts || performance.now() + wait >= until) throw error
      await sleep(wait)
    }
  }
}

/** Never the same for two callers, lest all come back at once. */
const pauseMs = (attempt: number) => firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())

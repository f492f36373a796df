import { setTimeout as sleep } from 'node:timers/promises'
import { IndexerUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { exchange, FailedExchange, type HttpRequest } from './http-exchange.ts'

/** The mean of the first pause between attempts, in milliseconds. Each further pause is twice as long. */
const firstPauseMs = 150

/**
 * Sends a request to the indexer, as soon as the request that it belongs to may make the call (D46, D78), and returns the
 * body of its 200. Throws the refusal of that request. Connection, attempts, pauses and body end within `timeoutMs`.
 * A throttled or overloaded indexer (429, 503) and a connection that is reset before the response are retried up to
 * twice, other failures of a server (500, 502, 504) once, not before Retry-After, if there is time and a call left. Every
 * failure is an IndexerUnavailable that contains neither the URL nor the indexer's own text (D30).
 */
export async function indexerRequest(request: HttpRequest, timeoutMs: number): Promise<Buffer> {
  await downstreamCalls.indexerPermitted()
  return await downstreamCalls.timed('indexer', () => inAttempts(request, timeoutMs))
}

async function inAttempts(request: HttpRequest, timeoutMs: number): Promise<Buffer> {
  const until = performance.now() + timeoutMs
  const timeout = AbortSignal.timeout(timeoutMs)
  for (let attempt = 1; ; attempt += 1) {
    const signal = signalOf(timeout)
    downstreamCalls.countIndexerUnits(request.units)
    try {
      return await exchange(request, signal)
    } catch (error) {
      if (signal.aborted) throw new IndexerUnavailable(`timed out after ${timeoutMs} ms`)
      if (!(error instanceof FailedExchange) || attempt >= error.maxAttempts) throw error
      const wait = error.waitSeconds * 1000 + pauseMs(attempt)
      if (performance.now() + wait >= until) throw error
      await downstreamCalls.indexerPermitted().catch(() => {
        throw error
      })
      await sleep(wait)
    }
  }
}

/** Begins an attempt. The signal aborts it at the timeout, or when the request has its response. */
function signalOf(timeout: AbortSignal): AbortSignal {
  const answered = downstreamCalls.begin('indexer')
  return answered ? AbortSignal.any([timeout, answered]) : timeout
}

/** With jitter, so that concurrent callers do not retry at the same moment. */
const pauseMs = (attempt: number) => firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())

import { ApiError, ConnectionError, type PlayerNftsError, TimeoutError } from './errors.ts'
import type { Operation } from './operation.ts'

const firstWaitMs = 500
const longestWaitMs = 8_000
/** API Gateway names no wait when it refuses requests. */
const gatewayWaitMs = 1_000

/**
 * Whether the request did nothing, or can have done something. A refused request (4xx) did nothing. After a
 * 5xx, and without a response, the service can have made the change.
 */
export function mayHaveTakenEffect({ effect }: Operation, error: PlayerNftsError): boolean {
  if (effect === 'reads') return false
  if (error instanceof ConnectionError) return !wasNeverSent(error)
  return error.status === undefined || error.status < 400 || error.status >= 500
}

/**
 * Returns how long to wait before the same request may be sent again, in milliseconds, or `undefined` if it
 * must not be sent again.
 */
export function waitBeforeRetry(operation: Operation, error: PlayerNftsError, attempt: number) {
  if (!isTransient(error)) return undefined
  if (operation.effect === 'once' && mayHaveTakenEffect(operation, error)) return undefined
  const factor = 2 ** (attempt - 1)
  if (!(error instanceof ApiError)) return jitter(factor)
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000 + jitter(1)
  if (error.status !== 429) return jitter(factor)
  return Math.min(longestWaitMs, gatewayWaitMs * factor) + jitter(1)
}

/** Whether the same request can succeed a little later. */
function isTransient(error: PlayerNftsError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (!(error instanceof ApiError)) return false
  // A limit of a total does not fill up by itself.
  if (error.status === 429) return error.limit === undefined || error.limit.perSeconds !== undefined
  // The service reports its defects as internal_error: they would be the same the next time.
  return error.status >= 500 && error.code !== 'internal_error'
}

/** Exponential with full jitter, so that many clients do not try again at the same time. */
const jitter = (factor: number) => Math.random() * Math.min(longestWaitMs, firstWaitMs * factor)

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether the runtime says that there was no connection. Browsers do not say it. */
function wasNeverSent({ cause }: ConnectionError): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return neverSent.has(String(inner?.code ?? code))
}

import { ApiError, ConnectionError, TimeoutError } from '../../../clients/typescript/src/errors.ts'

/** How often in a row a request without success is sent again by itself: for about two minutes. */
const maxFailures = 8

const longestBackoff = 30

/**
 * Returns after how many seconds a part of a list is sent again, or `undefined` if a repeat does not help or the user
 * should decide. The API permits to send every part again (D17, D50). A limit says how long to wait (D47).
 */
export function retrySeconds(error: unknown, failures: number): number | undefined {
  const backoff = Math.min(longestBackoff, 2 ** (failures - 1))
  if (error instanceof ApiError && error.status === 429) return limitSeconds(error, backoff)
  if (failures > maxFailures || !isTransient(error)) return undefined
  return Math.max((error instanceof ApiError ? error.retryAfterSeconds : 0) ?? 0, backoff)
}

/** A limit of a total does not fill up by itself. The random part keeps several tabs apart. */
function limitSeconds({ limit, retryAfterSeconds }: ApiError, backoff: number): number | undefined {
  if (limit && limit.perSeconds === undefined) return undefined
  return (retryAfterSeconds ?? backoff) + Math.random()
}

function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  return error instanceof ApiError && error.status >= 500 && error.code !== 'internal_error'
}

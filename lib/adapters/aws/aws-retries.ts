import { randomUUID } from 'node:crypto'
import {
  isServerError,
  isThrottlingError,
  isTransientError,
  StandardRetryStrategy,
} from '@smithy/core/retry'
import type { AttemptPlace } from './aws-attempts.ts'

type RetryErrorInfo = Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>[1]

/** A failed attempt, as the SDK's retries look at it. */
export type FailedAttempt = Parameters<typeof isThrottlingError>[0] & { retryAt?: Date }

/**
 * Returns a function that makes attempts until one succeeds, one fails in a way that lasts, or there were enough, and
 * throws the last failure. These are the SDK's standard retries: exponential backoff with jitter, the wait that a
 * response asks for, and a budget that all calls of a client share, so that an outage does not multiply the requests.
 */
export function standardRetries() {
  const strategy = new StandardRetryStrategy(3)
  return async <Output>(attempt: (place: AttemptPlace) => Promise<Output>): Promise<Output> => {
    const callId = randomUUID()
    let token = await strategy.acquireInitialRetryToken('')
    for (;;) {
      try {
        const output = await attempt({ callId, attempt: token.getRetryCount() + 1 })
        strategy.recordSuccess(token)
        return output
      } catch (error) {
        const info = retryInfoOf(error as FailedAttempt)
        token = await strategy.refreshRetryTokenForRetry(token, info).catch(() => {
          throw error
        })
      }
    }
  }
}

/** For which reason a failed attempt is worth another one: the last two kinds are not. */
export function retryInfoOf(failure: FailedAttempt): RetryErrorInfo {
  return {
    error: failure,
    errorType: errorTypeOf(failure),
    ...(failure.retryAt && { retryAfterHint: failure.retryAt }),
  }
}

function errorTypeOf(failure: FailedAttempt): RetryErrorInfo['errorType'] {
  if (isThrottlingError(failure)) return 'THROTTLING'
  if (isTransientError(failure)) return 'TRANSIENT'
  return isServerError(failure) ? 'SERVER_ERROR' : 'CLIENT_ERROR'
}

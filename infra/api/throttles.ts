import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { type ConcurrencySettings, reservedConcurrency } from '../settings/reserved-concurrency.ts'

/** The requests to a route that API Gateway accepts. API Gateway responds to the other requests with 429. */
export interface Throttle {
  /** The sustained rate, in requests per second. */
  readonly rateLimit: number
  /** The number of requests that may arrive at the same time. */
  readonly burstLimit: number
}

export interface ThrottleSettings extends ConcurrencySettings {
  /** The longest duration of a call to an open route. A function's timeout is a safe value. */
  readonly slowestOpenCallSeconds: number
}

/** The share of the concurrency that callers without an API key may use. */
const openShare = 1 / 4

/**
 * The throttle of each open route (auth NONE), and of each route whose function has a reserved concurrency, by API
 * Gateway's route key. Throttles protect the concurrency only: limits by caller (D47) protect everything else.
 *
 * With a reservation, Lambda protects the other functions, and the throttle is what Lambda accepts for the
 * reservation, divided between the paths of the operation. Without a reservation, the operation uses at most a
 * quarter of the concurrency: while the slowest call runs, a burst arrives, and the rate for as many seconds as that
 * call takes. Registration has the lowest throttle.
 */
export function routeThrottles(settings: ThrottleSettings): Record<string, Throttle> {
  const reserved = reservedConcurrency(settings)
  const rows = (Object.entries(routes) as [OperationId, Route][]).filter(
    ([id, { auth }]) => auth === 'NONE' || reserved[id] !== undefined,
  )
  return Object.fromEntries(
    rows.flatMap(([id, { method, paths }]) => {
      const throttle = divided(throttleOf(id, reserved[id], settings), paths.length)
      return paths.map((path) => [`${method} ${path}`, throttle])
    }),
  )
}

function throttleOf(
  id: OperationId,
  reserved: number | undefined,
  settings: ThrottleSettings,
): Throttle {
  if (reserved !== undefined) return acceptedBy(reserved)
  const safe = withinConcurrency(settings)
  return id === 'registerProduct' ? divided(safe, 4) : safe
}

/** A burst uses one half of the concurrency, and the sustained rate uses the other half. */
function withinConcurrency(settings: ThrottleSettings): Throttle {
  const calls = (settings.accountConcurrency * openShare) / 2
  return {
    burstLimit: Math.min(calls, gatewayLimit.burstLimit),
    rateLimit: Math.min(calls / settings.slowestOpenCallSeconds, gatewayLimit.rateLimit),
  }
}

/** API Gateway accepts only integers above 0 as a burst. */
const divided = ({ rateLimit, burstLimit }: Throttle, by: number): Throttle => ({
  rateLimit: Math.floor((rateLimit / by) * 100) / 100,
  burstLimit: Math.max(1, Math.floor(burstLimit / by)),
})

/** API Gateway's quota for all APIs of an account. API Gateway rejects a throttle above it. */
const gatewayLimit: Throttle = { rateLimit: 10_000, burstLimit: 5_000 }

/** Lambda accepts ten requests per second for each concurrent execution of the quota. */
const requestsPerExecution = 10

/** What Lambda accepts with these concurrent executions. */
const acceptedBy = (executions: number): Throttle => ({
  rateLimit: Math.min(executions * requestsPerExecution, gatewayLimit.rateLimit),
  burstLimit: Math.min(executions, gatewayLimit.burstLimit),
})

/** The throttle of every other route: what Lambda accepts for all functions of the account. */
export const defaultThrottle = ({ accountConcurrency }: ThrottleSettings): Throttle =>
  acceptedBy(accountConcurrency)

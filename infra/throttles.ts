import type { Route } from '../lib/contract/route.ts'
import { type OperationId, routes } from '../lib/contract/routes.ts'

/** The requests to a route that API Gateway accepts. API Gateway responds to the other requests with 429. */
export interface Throttle {
  /** The sustained rate, in requests per second. */
  readonly rateLimit: number
  /** The number of requests that may arrive at the same time. */
  readonly burstLimit: number
}

export interface ThrottleSettings {
  /** The account's quota of concurrent executions, which all its functions share. */
  readonly accountConcurrency: number
  /** The longest duration of a call to an open route. A function's timeout is a safe value. */
  readonly slowestOpenCallSeconds: number
  /** The throughput of the indexer's plan, in compute units per second. */
  readonly indexerUnitsPerSecond: number
}

/** The share of the concurrency, and of the indexer's units, that callers without an API key may use. */
const openShare = 1 / 4

/** The price of one token balance: https://www.alchemy.com/docs/reference/compute-unit-costs */
const unitsPerBalance = 20

/** The number of wallets that the throttles assume for a player. */
const walletsPerPlayer = 5

/**
 * The throttle of each open route (auth NONE), by API Gateway's route key. Each operation uses at most a
 * quarter of the concurrency: while the slowest call runs, a burst arrives, and the rate for as many seconds
 * as that call takes. Player details also use at most a quarter of the indexer's units, divided between
 * the paths of the operation. Registration has the lowest throttle.
 */
export function openThrottles(settings: ThrottleSettings): Record<string, Throttle> {
  const rows = (Object.entries(routes) as [OperationId, Route][]).filter(
    ([, { auth }]) => auth === 'NONE',
  )
  return Object.fromEntries(
    rows.flatMap(([id, { method, paths }]) => {
      const throttle = divided(throttleOf(id, settings), paths.length)
      return paths.map((path) => [`${method} ${path}`, throttle])
    }),
  )
}

function throttleOf(id: OperationId, settings: ThrottleSettings): Throttle {
  const safe = withinConcurrency(settings)
  const balances = withinUnits(safe, settings.indexerUnitsPerSecond * openShare)
  if (id === 'registerProduct') return divided(balances, 4)
  return id === 'getPlayerDetails' ? balances : safe
}

/** A burst uses one half of the concurrency, and the sustained rate uses the other half. */
function withinConcurrency(settings: ThrottleSettings): Throttle {
  const calls = (settings.accountConcurrency * openShare) / 2
  return {
    burstLimit: Math.min(calls, gatewayLimit.burstLimit),
    rateLimit: Math.min(calls / settings.slowestOpenCallSeconds, gatewayLimit.rateLimit),
  }
}

/** A burst uses at most the units of ten seconds, because the indexer throttles anything above. */
function withinUnits({ rateLimit, burstLimit }: Throttle, unitsPerSecond: number): Throttle {
  const affordable = unitsPerSecond / (unitsPerBalance * walletsPerPlayer)
  return {
    rateLimit: Math.min(rateLimit, affordable),
    burstLimit: Math.min(burstLimit, affordable * 10),
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

/** The throttle of every other route: the rate that Lambda accepts for all functions of the account. */
export const defaultThrottle = ({ accountConcurrency }: ThrottleSettings): Throttle => ({
  rateLimit: Math.min(accountConcurrency * requestsPerExecution, gatewayLimit.rateLimit),
  burstLimit: Math.min(accountConcurrency, gatewayLimit.burstLimit),
})

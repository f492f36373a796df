import { routes } from '../../functions/operations.ts'
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

/** What a caller without an API key may send at least, in an account of any size. */
const leastOfOpenRoute: Throttle = { rateLimit: 1, burstLimit: 5 }

const leastOfRegistration: Throttle = { rateLimit: 1 / 5, burstLimit: 2 }

/** The throttles of a stage. */
export interface StageThrottles {
  /** Of each route that has none of its own: what Lambda accepts for all functions of the account. */
  readonly others: Throttle
  /** By API Gateway's route key. */
  readonly routes: Readonly<Record<string, Throttle>>
}

/**
 * The throttles of a stage in an account with this quota of API Gateway, of which burst and rate are at least 1, and which none
 * exceeds. Each open route (auth NONE), and each whose function has a reserved concurrency, has its own. Throttles
 * protect the concurrency only: limits by caller (D47) protect everything else.
 *
 * With a reservation, Lambda protects the other functions, and the throttle is what Lambda accepts for the
 * reservation, divided between the paths of the operation. Without a reservation, the operation uses at most a
 * quarter of the concurrency: while the slowest call runs, a burst arrives, and the rate for as many seconds as that
 * call takes. Registration has the lowest throttle. In a small account, a quarter would be less than one call in the
 * time of the slowest, so that an open route has at least {@link leastOfOpenRoute}.
 */
export function throttlesWithin(
  settings: ThrottleSettings,
  quota: Throttle,
  operations: readonly Route[] = Object.values(routes),
): StageThrottles {
  const reserved: Readonly<Partial<Record<string, number>>> = reservedConcurrency(settings)
  const rows = operations.filter(({ id, auth }) => auth === 'NONE' || reserved[id] !== undefined)
  const own = rows.flatMap(({ id, method, paths }) => {
    const executions = reserved[id]
    const throttle =
      executions === undefined
        ? openThrottle(id, paths.length, settings, quota)
        : divided(acceptedBy(executions, quota), paths.length)
    return paths.map((path) => [`${method} ${path}`, throttle] as const)
  })
  return {
    others: acceptedBy(settings.accountConcurrency, quota),
    routes: Object.fromEntries(own),
  }
}

/** The throttle of each path of an open operation without a reservation. */
function openThrottle(
  id: string,
  paths: number,
  settings: ThrottleSettings,
  quota: Throttle,
): Throttle {
  const [least, parts] =
    id === 'registerProduct' ? [leastOfRegistration, 4 * paths] : [leastOfOpenRoute, paths]
  const share = divided(atMost(quota, withinConcurrency(settings)), parts)
  return atMost(quota, {
    burstLimit: Math.max(least.burstLimit, share.burstLimit),
    rateLimit: Math.max(least.rateLimit, share.rateLimit),
  })
}

/** A burst uses one half of the concurrency, and the sustained rate uses the other half. */
function withinConcurrency({ accountConcurrency, slowestOpenCallSeconds }: ThrottleSettings) {
  const calls = (accountConcurrency * openShare) / 2
  return { burstLimit: calls, rateLimit: calls / slowestOpenCallSeconds }
}

/** API Gateway accepts only integers above 0 as a burst. */
const divided = ({ rateLimit, burstLimit }: Throttle, by: number): Throttle => ({
  rateLimit: Math.floor((rateLimit / by) * 100) / 100,
  burstLimit: Math.max(1, Math.floor(burstLimit / by)),
})

const atMost = (quota: Throttle, { rateLimit, burstLimit }: Throttle): Throttle => ({
  rateLimit: Math.min(quota.rateLimit, rateLimit),
  burstLimit: Math.min(quota.burstLimit, burstLimit),
})

/** Lambda accepts ten requests per second for each concurrent execution of the quota. */
const requestsPerExecution = 10

/** What Lambda accepts with these concurrent executions. */
const acceptedBy = (executions: number, quota: Throttle): Throttle =>
  atMost(quota, { rateLimit: executions * requestsPerExecution, burstLimit: executions })

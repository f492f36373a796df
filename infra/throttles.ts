import type { Route } from '../lib/contract/route.ts'
import { type OperationId, routes } from '../lib/contract/routes.ts'

/** How many calls of a route API Gateway lets through; the rest are 429. */
export interface Throttle {
  /** Calls a second, on and on. */
  readonly rateLimit: number
  /** Calls at once. */
  readonly burstLimit: number
}

export interface ThrottleSettings {
  /** The concurrent executions that the account has for all its functions. */
  readonly accountConcurrency: number
  /** How long the slowest call of an open route takes; a function's time-out, to be on the safe side. */
  readonly slowestOpenCallSeconds: number
  /** The compute units that the indexer sells in a second. */
  readonly indexerUnitsPerSecond: number
}

/** What those who show no API key may take, of the concurrency and of the indexer's units. */
const openShare = 1 / 4

/** What a token balance costs, and the wallets of a player who has many: https://www.alchemy.com/docs/reference/compute-unit-costs */
const unitsPerBalance = 20
const walletsOfPlayer = 5

/**
 * The throttle of every open route (auth NONE), by API Gateway's route key. Each takes at most a quarter
 * of the concurrency: what comes in while the slowest call lasts is the burst and that many seconds of
 * the rate. A balance takes at most a quarter of the indexer's units besides,
 * shared by the paths it answers on, and registration is the slowest of all.
 */
export function openThrottles(settings: ThrottleSettings): Record<string, Throttle> {
  const rows = (Object.entries(routes) as [OperationId, Route][]).filter(
    ([, { auth }]) => auth === 'NONE',
  )
  return Object.fromEntries(
    rows.flatMap(([id, { method, paths }]) => {
      const throttle = shared(throttleOf(id, settings), paths.length)
      return paths.map((path) => [`${method} ${path}`, throttle])
    }),
  )
}

function throttleOf(id: OperationId, settings: ThrottleSettings): Throttle {
  const safe = withinConcurrency(settings)
  const balances = withinUnits(safe, settings.indexerUnitsPerSecond * openShare)
  if (id === 'registerProduct') return shared(balances, 4)
  return id === 'getPlayerDetails' ? balances : safe
}

/** Half of what may be under way is left to a burst, half to the calls that follow it. */
function withinConcurrency(settings: ThrottleSettings): Throttle {
  const calls = (settings.accountConcurrency * openShare) / 2
  return {
    burstLimit: Math.min(calls, gatewayLimit.burstLimit),
    rateLimit: Math.min(calls / settings.slowestOpenCallSeconds, gatewayLimit.rateLimit),
  }
}

/** A burst of ten seconds' units at most: what is more the indexer itself would turn away. */
function withinUnits({ rateLimit, burstLimit }: Throttle, unitsPerSecond: number): Throttle {
  const affordable = unitsPerSecond / (unitsPerBalance * walletsOfPlayer)
  return {
    rateLimit: Math.min(rateLimit, affordable),
    burstLimit: Math.min(burstLimit, affordable * 10),
  }
}

/** API Gateway takes whole bursts, and none of 0. */
const shared = ({ rateLimit, burstLimit }: Throttle, among: number): Throttle => ({
  rateLimit: Math.floor((rateLimit / among) * 100) / 100,
  burstLimit: Math.max(1, Math.floor(burstLimit / among)),
})

/** What API Gateway lets through to all APIs of an account; a throttle over it would be refused. */
const gatewayLimit: Throttle = { rateLimit: 10_000, burstLimit: 5_000 }

/** Lambda takes ten calls a second for each execution that it may run at once. */
const callsPerExecution = 10

/** The throttle of each other route: what Lambda can take of all its functions. */
export const defaultThrottle = ({ accountConcurrency }: ThrottleSettings): Throttle => ({
  rateLimit: Math.min(accountConcurrency * callsPerExecution, gatewayLimit.rateLimit),
  burstLimit: Math.min(accountConcurrency, gatewayLimit.burstLimit),
})

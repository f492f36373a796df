import { RateLimited } from './failures.ts'
import type { Limit, LimitName } from './limit.ts'

/**
 * The state of a limit: the time by which everything that was spent is paid back, in whole microseconds
 * since 1970. This is the generic cell rate algorithm, with the theoretical arrival time as the state.
 * `undefined`: nothing was spent.
 */
export type LimitState = number | undefined

/** The time in the unit of {@link LimitState}. */
export const limitClock = (): number => Date.now() * microseconds

const microseconds = 1_000
const perSecond = 1_000_000

/** The most periods for which one amount can exhaust a limit. */
const maxDebt = 100

/** The time that pays back this amount, in microseconds, rounded up; at most 100 periods. */
export const costOf = ({ count, perSeconds }: Limit, amount: number): number =>
  Math.ceil(Math.min(amount / count, maxDebt) * perSeconds * perSecond)

/** The latest state at which a request is permitted at this time: room for one unit is left. */
export const lastPermittedState = (limit: Limit, now: number): number =>
  now + (limit.count - 1) * costOf(limit, 1)

/** The whole seconds after which a request is permitted again; `undefined` if it is permitted now. */
export function waitSeconds(limit: Limit, state: LimitState, now: number): number | undefined {
  if (state === undefined) return undefined
  const excess = state - lastPermittedState(limit, now)
  return excess <= 0 ? undefined : Math.ceil(excess / perSecond)
}

/**
 * The state after an amount was spent. Time that passes without use gives no credit. An amount beyond the
 * limit is a debt, which is paid back before another request is permitted.
 */
export const spend = (limit: Limit, state: LimitState, amount: number, now: number): number =>
  Math.max(state ?? 0, now) + costOf(limit, amount)

/** The states of the limits of one caller. */
export type LimitStates = Readonly<Partial<Record<LimitName, number>>>

/** Throws RateLimited if one of these limits is exhausted: for the limit with the longest wait. */
export function permit(limits: readonly Limit[], states: LimitStates, now: number): void {
  const waits = limits.map((limit) => waitSeconds(limit, states[limit.name], now) ?? 0)
  const longest = Math.max(0, ...waits)
  const limit = limits[waits.indexOf(longest)]
  if (limit && longest > 0) throw new RateLimited(limit, longest)
}

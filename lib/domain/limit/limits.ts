import { RateLimited } from '../failures.ts'
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
  Math.ceil((Math.min(amount, maxDebt * count) * perSeconds * perSecond) / count)

/** The latest state at which a request is permitted at this time: room for one unit is left, or for another amount. */
export const lastPermittedState = (limit: Limit, now: number, amount = 1): number =>
  now + (limit.count - amount) * costOf(limit, 1)

function unitsLeft(limit: Limit, state: LimitState, now: number): number {
  const room = lastPermittedState(limit, now, 0) - Math.max(state ?? 0, now)
  return Math.max(0, Math.floor(room / costOf(limit, 1)))
}

/** The whole seconds until a request is permitted, with an amount of at most the count; `undefined` if it is so now. */
export function waitSeconds(
  limit: Limit,
  state: LimitState,
  now: number,
  amount = 1,
): number | undefined {
  if (state === undefined) return undefined
  const excess = state - lastPermittedState(limit, now, Math.min(amount, limit.count))
  return excess <= 0 ? undefined : Math.ceil(excess / perSecond)
}

/**
 * The state after an amount was spent. Unused time gives no credit; a debt is paid back before another request is
 * permitted.
 */
export const spend = (limit: Limit, state: LimitState, amount: number, now: number): number =>
  Math.max(state ?? 0, now) + costOf(limit, amount)

/**
 * Spends an amount only if it is left, also after others: if the state is at most `upTo` then, `next` replaces it, or
 * `add` is added.
 */
export type ConditionalSpending =
  | { readonly next: number; readonly upTo: number }
  | { readonly add: number; readonly upTo: number }

/** Spends an amount if it is left after `givenBack`, a part of the state, is given back. */
export const spendIfLeft = (
  limit: Limit,
  state: LimitState,
  amount: number,
  now: number,
  givenBack = 0,
): ConditionalSpending =>
  state === undefined || state <= now
    ? { next: spend(limit, undefined, amount, now), upTo: now }
    : {
        add: costOf(limit, amount) - givenBack,
        upTo: lastPermittedState(limit, now, amount) + givenBack,
      }

/** Units that were spent at a time and then not used. */
export interface UnusedUnits {
  readonly count: number
  readonly spentAt: number
}

/** What unused units still take from a limit: the time since they were spent counts as having paid them back. */
const owedFor = (
  limit: Limit,
  state: LimitState,
  { count, spentAt }: UnusedUnits,
  now: number,
): number => Math.max(0, Math.min(costOf(limit, count) - (now - spentAt), (state ?? now) - now))

export type LimitStates = Readonly<Partial<Record<LimitName, number>>>

/** The states after unused units are given back. */
export function withoutUnused(
  limits: readonly Limit[],
  states: LimitStates,
  unused: UnusedUnits,
  now: number,
): LimitStates {
  const left = limits.flatMap((limit) => {
    const state = states[limit.name]
    return state === undefined ? [] : [[limit.name, state - owedFor(limit, state, unused, now)]]
  })
  return Object.fromEntries(left)
}

/**
 * Spends up to `wanted` units, as many as all limits have left after unused units are given back; 0 if one is
 * exhausted.
 */
export function spendWhatIsLeft(
  limits: readonly Limit[],
  { states, unused }: { states: LimitStates; unused: UnusedUnits },
  wanted: number,
  now: number,
): { amount: number; changes: Partial<Record<LimitName, ConditionalSpending>> } {
  const free = withoutUnused(limits, states, unused, now)
  const amount = Math.min(wanted, ...limits.map((limit) => unitsLeft(limit, free[limit.name], now)))
  const changes = limits.map((limit) => {
    const { [limit.name]: state } = states
    const givenBack = (state ?? 0) - (free[limit.name] ?? 0)
    return [limit.name, spendIfLeft(limit, state, amount, now, givenBack)]
  })
  return { amount, changes: Object.fromEntries(changes) }
}

/** Whether at most half of each of these limits is spent. */
export const halfIsLeft = (limits: readonly Limit[], states: LimitStates, now: number): boolean =>
  limits.every(
    ({ name, perSeconds }) => 2 * ((states[name] ?? now) - now) <= perSeconds * perSecond,
  )

/** Throws RateLimited if one of these limits is exhausted, or has less left: for the limit with the longest wait. */
export function permit(
  limits: readonly Limit[],
  states: LimitStates,
  now: number,
  amount = 1,
): void {
  const waits = limits.map((limit) => waitSeconds(limit, states[limit.name], now, amount) ?? 0)
  const longest = Math.max(0, ...waits)
  const limit = limits[waits.indexOf(longest)]
  if (limit && longest > 0) throw new RateLimited(limit, longest)
}

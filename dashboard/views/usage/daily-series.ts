import type { DailyUsage } from '../../../clients/typescript/src/types.ts'

/** How the calls of a day ended. */
export type OutcomeClass = 'succeeded' | 'refused' | 'failed'

/** The codes of problems that are defects or outages, not mistakes of the caller (status 500 and above). */
const failureCodes: ReadonlySet<string> = new Set([
  'internal_error',
  'indexer_unavailable',
  'service_unavailable',
])

/** The class of an outcome of the usage (D55). A code that is not known is that of a refused call. */
export function outcomeClass(outcome: string): OutcomeClass {
  if (outcome === 'success') return 'succeeded'
  return failureCodes.has(outcome) ? 'failed' : 'refused'
}

/** The numbers of one day, in UTC. */
export interface DayNumbers {
  /** `2026-11-22`. */
  readonly day: string
  readonly calls: number
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
  readonly players: number
  /** Whether `players` is an estimate. */
  readonly playersEstimated: boolean
  readonly indexerCalls: number
}

/** The numbers of each day, oldest first. The usage has today first. */
export const dailyNumbers = (usage: readonly DailyUsage[]): DayNumbers[] =>
  usage.map(numbersOf).reverse()

function numbersOf(usage: DailyUsage): DayNumbers {
  const counts = { succeeded: 0, refused: 0, failed: 0 }
  for (const { outcome, count } of usage.calls) counts[outcomeClass(outcome)] += count
  return {
    day: usage.day,
    calls: counts.succeeded + counts.refused + counts.failed,
    ...counts,
    players: usage.players,
    playersEstimated: usage.playersEstimated,
    indexerCalls: usage.indexerCalls,
  }
}

/** The calls of one operation with one outcome, in all days together. */
interface CountedOutcome {
  readonly operation: string
  readonly outcome: string
  readonly class: OutcomeClass
  readonly count: number
}

/** The calls of all days by operation and outcome, most first. */
export function callTotals(usage: readonly DailyUsage[]): CountedOutcome[] {
  const totals = new Map<string, CountedOutcome>()
  for (const { operation, outcome, count } of usage.flatMap(({ calls }) => calls)) {
    const name = JSON.stringify([operation, outcome])
    const before = totals.get(name)?.count ?? 0
    const total = { operation, outcome, class: outcomeClass(outcome), count: before + count }
    totals.set(name, total)
  }
  return [...totals.values()].toSorted(
    (a, b) =>
      b.count - a.count || compare(a.operation, b.operation) || compare(a.outcome, b.outcome),
  )
}

/** The calls of all days that each limit refused, by the name of the limit. */
export function limitedTotals(usage: readonly DailyUsage[]): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { limit, count } of usage.flatMap(({ limited }) => limited)) {
    totals.set(limit, (totals.get(limit) ?? 0) + count)
  }
  return totals
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)

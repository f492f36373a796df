import type { CountedCalls, DailyUsage } from '../../../clients/typescript/src/types.ts'

/** How the calls of a day ended. */
export type OutcomeClass = 'succeeded' | 'refused' | 'failed'

/** The codes of problems that are defects or outages, not mistakes of the caller (status 500 and above). */
const failureCodes: ReadonlySet<string> = new Set([
  'internal_error',
  'chain_unavailable',
  'indexer_unavailable',
  'service_unavailable',
])

/** The class of an outcome of the usage (D55). A code that is not known is that of a refused call. */
export function outcomeClass(outcome: string): OutcomeClass {
  if (outcome === 'success') return 'succeeded'
  return failureCodes.has(outcome) ? 'failed' : 'refused'
}

/** The numbers of one day in UTC, `2026-11-22`. */
export type DayNumbers = ReturnType<typeof numbersOf>

/** The numbers of each day, oldest first. The usage has today first. */
export const dailyNumbers = (usage: readonly DailyUsage[]): DayNumbers[] =>
  usage.map(numbersOf).reverse()

function numbersOf({ calls, limited, ...day }: DailyUsage) {
  const counts = { succeeded: 0, refused: 0, failed: 0 }
  for (const { outcome, count } of calls) counts[outcomeClass(outcome)] += count
  return { ...day, ...counts, calls: counts.succeeded + counts.refused + counts.failed }
}

/** The calls of all days by operation and outcome, most first. */
export function callTotals(usage: readonly DailyUsage[]): CountedCalls[] {
  const totals = new Map<string, CountedCalls>()
  for (const { operation, outcome, count } of usage.flatMap(({ calls }) => calls)) {
    const name = JSON.stringify([operation, outcome])
    const before = totals.get(name)?.count ?? 0
    totals.set(name, { operation, outcome, count: before + count })
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

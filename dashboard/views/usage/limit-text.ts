import type { DailyUsage, Product } from '../../../clients/typescript/src/types.ts'
import { limitAmount, limitMeaning } from '../../shell/limit-words.ts'
import { limitedTotals } from './daily-series.ts'

/** A limit of the product (D64). */
export type ProductLimit = NonNullable<Product['limits']>[number]

/** A limit as a row of a table. */
interface LimitRow {
  readonly name: string
  readonly meaning: string
  /** `520 a day`; empty for a limit that refused calls and has been removed since. */
  readonly count: string
  /** The calls that the limit refused in the days of the usage. */
  readonly refused: number
}

/** The limits of the product, and those that refused calls in these days. */
export function limitRows(
  limits: readonly ProductLimit[],
  usage: readonly DailyUsage[],
): LimitRow[] {
  const refused = limitedTotals(usage)
  const listed = new Set(limits.map(({ name }) => name))
  const removed = [...refused.keys()].filter((name) => !listed.has(name))
  return [
    ...limits.map((limit) => rowOf(limit.name, limitAmount(limit), refused)),
    ...removed.map((name) => rowOf(name, '', refused)),
  ]
}

const rowOf = (name: string, count: string, refused: ReadonlyMap<string, number>): LimitRow => ({
  name,
  meaning: limitMeaning(name),
  count,
  refused: refused.get(name) ?? 0,
})

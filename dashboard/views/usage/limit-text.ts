import type { DailyUsage, Product } from '../../../clients/typescript/src/types.ts'
import { limitedTotals } from './daily-series.ts'

/** A limit of the product (D64). */
export type ProductLimit = NonNullable<Product['limits']>[number]

const meanings = new Map(
  Object.entries({
    indexer_calls_by_minute: 'Indexer calls',
    indexer_calls_by_day: 'Indexer calls',
    client_indexer_calls_by_minute: 'Indexer calls of games without a key',
    client_indexer_calls_by_day: 'Indexer calls of games without a key',
    client_reads: 'Calls of one player from games without a key',
    allowlisted_nfts: 'Allowlisted token identifiers',
    nfts: 'NFTs on all allowlists',
    new_keys: 'New keys',
  }),
)

const periods = new Map([
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
])

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
    ...limits.map((limit) => rowOf(limit.name, limitText(limit), refused)),
    ...removed.map((name) => rowOf(name, '', refused)),
  ]
}

const rowOf = (name: string, count: string, refused: ReadonlyMap<string, number>): LimitRow => ({
  name,
  meaning: meanings.get(name) ?? name,
  count,
  refused: refused.get(name) ?? 0,
})

/** A limit in words: `520 a day`, or `1,000,000 in all` without a period. */
export function limitText({ count, perSeconds }: ProductLimit): string {
  const period =
    perSeconds === undefined ? 'in all' : (periods.get(perSeconds) ?? `in ${perSeconds} seconds`)
  return `${count.toLocaleString('en')} ${period}`
}

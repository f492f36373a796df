import * as v from 'valibot'
import type { ProductId } from '../../domain/product/product.ts'
import { callOfName, countPlayers, type DailyUsage, type Day } from '../../domain/usage/usage.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'
import { callPrefix, dayFromKey, limitPrefix, usageKey } from './usage-counters.ts'

/** The usage of products in the table, as the counters of usage write it (D55). */
export const dynamoDailyUsages = (table: Table) => ({
  /** The days in UTC from `first` to `last` that have usage, in any order. The read sees every completed write. */
  async list(productId: ProductId, { first, last }: { first: Day; last: Day }) {
    const [{ pk, sk: from }, { sk: to }] = [usageKey(productId, first), usageKey(productId, last)]
    return (await itemsUnder(table, { pk, between: [from, to] })).map(dailyUsageOf)
  },
})

const usageItem = v.looseObject({
  sk: v.string(),
  indexerCalls: v.number(),
  players: v.optional(v.set(v.number()), () => new Set<number>()),
})

function dailyUsageOf(item: unknown): DailyUsage {
  const { sk, indexerCalls, players, ...counts } = v.parse(usageItem, item)
  const distinct = countPlayers(players)
  return {
    day: dayFromKey(sk),
    calls: countsWith(callPrefix, counts).map(([name, count]) => ({ ...callOfName(name), count })),
    indexerCalls,
    players: distinct.players,
    playersEstimated: distinct.isEstimate,
    limited: countsWith(limitPrefix, counts).map(([limit, count]) => ({ limit, count })),
  }
}

/** The counts whose names have a prefix, in the order of their names without it. */
const countsWith = (prefix: string, counts: Record<string, unknown>): [string, number][] =>
  Object.entries(counts)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, count]): [string, number] => [name.slice(prefix.length), Number(count)])
    .sort(([a], [b]) => (a < b ? -1 : 1))

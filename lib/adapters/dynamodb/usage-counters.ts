import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { branded } from '../../domain/branded.ts'
import { ServiceUnavailable, unlessUnavailable } from '../../domain/failures.ts'
import type { UsageCounters } from '../../domain/ports/usage.ts'
import type { ProductId } from '../../domain/product/product.ts'
import {
  callOfName,
  countPlayers,
  type DailyUsage,
  type Day,
  digestRange,
  sketchSize,
  smallestDigests,
  type UsageCounts,
} from '../../domain/usage/usage.ts'
import { throttling } from './commands.ts'
import { getItem } from './item-reads.ts'
import { type FieldUpdate, updatedItem } from './item-writes.ts'
import type { Key } from './keys/key.ts'
import { productKey } from './keys/product-partition.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

/** How long the usage of a day is kept after its end, in days (D55). */
const retentionDays = 91

/** The number of digests above which the digests that no sketch needs are removed from an item. */
const maxDigests = 2 * sketchSize

/** The maximum number of products and days whose threshold is kept in memory. */
const maxThresholds = 1_000

export function dynamoUsageCounters(table: Table): UsageCounters {
  /** Only digests below this number can change the sketch of a product and day. */
  const thresholds = new Map<string, number>()

  return {
    async add(productId, day, counts, { isRead }) {
      try {
        if (!isRead && !(await exists(productId))) return true
        const threshold = thresholds.get(`${productId} ${day}`) ?? digestRange
        const digests = digestsOf(productId, day, counts.userIds)
        const needed = digests.filter((digest) => digest < threshold)
        const stored = await update(productId, day, additionOf(day, counts, needed))
        await keepSmallest(productId, day, stored)
        return true
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error
        return !isThrottled(error)
      }
    },
  }

  /** Whether a product exists that is not being deleted, so that no item of a deleted product comes back. */
  async function exists(productId: ProductId): Promise<boolean> {
    const item = await getItem(table, productKey(productId))
    return item !== undefined && !('endedAt' in item)
  }

  /** Writes to the item of a day, and returns the digests that it has then, if the write was about digests. */
  async function update(productId: ProductId, day: Day, change: FieldUpdate): Promise<number[]> {
    const once = { ...change, isSentOnce: true }
    const updated = await updatedItem(table, usageKey(productId, day), once, 'UPDATED_NEW')
    const players: unknown = updated?.['players']
    return players instanceof Set ? [...players] : []
  }

  async function keepSmallest(productId: ProductId, day: Day, stored: readonly number[]) {
    const smallest = smallestDigests(stored)
    const last = smallest[sketchSize - 1]
    if (last === undefined) return
    if (thresholds.size >= maxThresholds) thresholds.clear()
    thresholds.set(`${productId} ${day}`, last)
    if (stored.length <= maxDigests) return
    const unneeded = stored.filter((digest) => digest > last)
    // Removing digests that are not the smallest is right whatever other containers add.
    const removal = { delete: { players: new Set(unneeded) } }
    await update(productId, day, removal).catch(unlessUnavailable)
  }
}

function additionOf(day: Day, counts: UsageCounts, digests: readonly number[]): FieldUpdate {
  const { calls, limited, indexerCalls } = counts
  return {
    set: { expiresAt: Date.parse(day) / 1000 + (retentionDays + 1) * 24 * 3600 },
    add: {
      ...Object.fromEntries(Array.from(calls, ([name, count]) => [callPrefix + name, count])),
      ...Object.fromEntries(Array.from(limited, ([name, count]) => [limitPrefix + name, count])),
      indexerCalls,
      ...(digests.length > 0 && { players: new Set(digests) }),
    },
  }
}

/**
 * The digests of players, at most as many as a sketch needs. The digests of a player differ for each product
 * and day, so that they do not show which players play two games, or come back.
 */
const digestsOf = (productId: ProductId, day: Day, userIds: Iterable<number>): number[] =>
  smallestDigests(
    Array.from(userIds, (userId) =>
      createHash('sha256').update(`${productId} ${day} ${userId}`).digest().readUInt32BE(),
    ),
  )

/** Whether a failure is certain to have had no effect. After any other failure, the response can be lost. */
const isThrottled = ({ reason }: ServiceUnavailable): boolean =>
  [...throttling].some((name) => reason.endsWith(name))

// The usage of a product and day is one item in the partition of the product (D55). It has a number for each
// operation and outcome and for each limit, and the smallest digests of its players as a set of numbers.

const usagePrefix = 'USAGE#'

export const usageKey = (productId: ProductId, day: Day): Key => ({
  pk: productKey(productId).pk,
  sk: `${usagePrefix}${day}`,
})

/** The prefixes of the attributes with the counts of calls, and of refused calls by limit. */
const callPrefix = 'call:'
const limitPrefix = 'limit:'

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
    day: branded(sk.slice(usagePrefix.length)),
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

import type { UsageCounters } from '../ports/usage.ts'
import type { ProductId } from '../product/product.ts'
import { callName, type Day, dayOf, type UsageCounts, type UsedCall } from './usage.ts'

/** The maximum number of products and days whose counts are kept. The calls of others are not counted. */
const maxKept = 1_000

/** The maximum number of players that are kept for one product and day. */
const maxKeptPlayers = 10_000

/** Counts of a product and day. `since`: when the first of them was counted, in milliseconds since 1970. */
interface Kept {
  productId: ProductId
  day: Day
  since: number
  counts: UsageCounts
}

export type UsageRecorder = ReturnType<typeof usageRecorder>

/** Keeps counts in memory for at least this number of seconds, before it writes them to `counters` (D55). */
export function usageRecorder(counters: UsageCounters, seconds: number) {
  /** The oldest counts are first. */
  const kept = new Map<string, Kept>()

  function dueNow(): Kept | undefined {
    const { value: oldest } = kept.values().next()
    return oldest && Date.now() - oldest.since >= seconds * 1000 ? oldest : undefined
  }

  function countsFor(productId: ProductId, day: Day, now: number): UsageCounts | undefined {
    const key = keyOf({ productId, day })
    const known = kept.get(key)
    if (known || kept.size >= maxKept) return known?.counts
    const counts = noCounts()
    kept.set(key, { productId, day, since: now, counts })
    return counts
  }

  async function write({ productId, day, counts }: Kept, isRead: boolean): Promise<void> {
    if (await counters.add(productId, day, counts, { isRead })) return
    const later = countsFor(productId, day, Date.now())
    if (later) addCounts(later, counts)
  }

  return {
    /** Counts a call, or a part of background work. Makes no request. */
    count({ productId, call, indexerCalls, userId, limit }: UsedCall): void {
      const now = Date.now()
      const counts = countsFor(productId, dayOf(now), now)
      if (!counts) return
      if (call) increase(counts.calls, callName(call), 1)
      if (limit !== undefined) increase(counts.limited, limit, 1)
      counts.indexerCalls += indexerCalls
      if (userId !== undefined) addPlayer(counts, userId)
    },
    isDue: () => dueNow() !== undefined,
    /** Writes the oldest counts of one product and day, if they are due. `current`: the product that the request has read. */
    async writeDue(current?: ProductId): Promise<void> {
      const due = dueNow()
      if (!due) return
      kept.delete(keyOf(due))
      await write(due, due.productId === current)
    },
  }
}

const keyOf = ({ productId, day }: Pick<Kept, 'productId' | 'day'>): string => `${productId} ${day}`

const noCounts = (): UsageCounts => ({
  calls: new Map(),
  indexerCalls: 0,
  userIds: new Set(),
  limited: new Map(),
})

function addCounts(to: UsageCounts, from: UsageCounts): void {
  for (const [name, count] of from.calls) increase(to.calls, name, count)
  for (const [name, count] of from.limited) increase(to.limited, name, count)
  for (const userId of from.userIds) addPlayer(to, userId)
  to.indexerCalls += from.indexerCalls
}

const increase = (counts: Map<string, number>, name: string, by: number) =>
  counts.set(name, (counts.get(name) ?? 0) + by)

function addPlayer({ userIds }: UsageCounts, userId: number): void {
  if (userIds.size < maxKeptPlayers) userIds.add(userId)
}

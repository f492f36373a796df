import type { ProductId } from '../product/product.ts'
import type { DailyUsage, Day, UsageCounts, UsedCall } from '../usage/usage.ts'

/** Counts the usage of products in memory, and writes the counts later (D55). */
export interface UsageRecorder {
  /** Counts a call, or a part of background work. Makes no request. */
  count(used: UsedCall): void
  isDue(): boolean
  /**
   * Writes the oldest counts of one product and day, if they are due. `current`: the product that the request has read.
   */
  writeDue(current?: ProductId): Promise<void>
}

/** The counters of usage, by product and day (D55). */
export interface UsageCounters {
  /**
   * Adds counts in one attempt. Returns false if nothing was added because the table is throttled. Counts are
   * dropped if the product is deleted, or if it is not known whether they were added. `isRead`: whether
   * the current request has read the product.
   */
  add(
    productId: ProductId,
    day: Day,
    counts: UsageCounts,
    options: { isRead: boolean },
  ): Promise<boolean>
}

/** The usage of products by day in UTC (D55). */
export interface DailyUsages {
  /** The days from `first` to `last` that have usage, in any order. The read sees every completed write. */
  list(productId: ProductId, range: { first: Day; last: Day }): Promise<DailyUsage[]>
}

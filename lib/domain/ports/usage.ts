import type { ProductId } from '../product/product.ts'
import type { Day, UsageCounts } from '../usage/usage.ts'

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

import type { ProductId } from '../product/product.ts'
import type { EventOutcome, NewEvent, ProductEvent } from '../product/product-event.ts'

/** The changes of each product, newest first, kept for 400 days (D49). */
export interface ProductEvents {
  /** Records that a change begins, and returns the id of its event. */
  begin(productId: ProductId, event: NewEvent): Promise<string>
  /** Records how a change has ended. `count`: replaces the number of NFTs. May be repeated. */
  settle(
    productId: ProductId,
    eventId: string,
    outcome: EventOutcome,
    count?: number,
  ): Promise<void>
  /**
   * Up to `limit` events before the event `after`, newest first. The read sees every completed write. There is none
   * before an event that is not kept any more, and `undefined` if `after` is no event of the product (D77).
   */
  list(
    productId: ProductId,
    range: { after?: string | undefined; limit: number },
  ): Promise<ProductEvent[] | undefined>
}

import type { Reservation } from '../limit/reservation.ts'
import type { ProductId } from '../product/product.ts'
import type { StoredProduct } from '../product/stored-product.ts'

/** What the requests of products spend of their limits (D47). */
export interface ProductUse {
  /** Whether there is a limit, so that the counters of the product are needed. */
  readonly isLimited: boolean
  /**
   * Throws RateLimited if the product has exhausted a limit that is judged before the request. The product is read with
   * its counters.
   */
  permit(product: StoredProduct, request: { isClient: boolean }): Promise<void>
  /**
   * Begins the reservation of the indexer calls of a request, which makes no request before its first call (D78).
   * `product`: as the request reads it, with its counters; rejects if the request is refused.
   */
  reserveCalls(
    productId: ProductId,
    product: Promise<StoredProduct>,
    request: Pick<LimitedRequest, 'isClient'>,
  ): Reservation
  /** Counts a permitted request, but not its indexer calls. Fails for no request. */
  count(product: StoredProduct, request: Pick<LimitedRequest, 'nfts'>): Promise<void>
  /** Counts indexer calls in the background. Fails for no work. */
  add(productId: ProductId, indexerCalls: number): Promise<void>
  /** Whether at most half of each limit of indexer calls is spent: work for all products waits otherwise. Throws ServiceUnavailable. */
  hasHalfLeft(productId: ProductId): Promise<boolean>
}

/** A request of a product, as far as the limits depend on it. */
export interface LimitedRequest {
  /** Whether the request comes from a game without an API key (D51). */
  isClient: boolean
  /** The number of NFTs that it allowlists. */
  nfts: number
}

/** Counts registrations against their limits (D47). */
export interface Registrations {
  /** Counts a registration from this source address before it begins. Throws RateLimited. */
  count(sourceAddress: string): Promise<void>
}

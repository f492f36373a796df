import type { ProductId } from '../product.ts'
import type { StoredProduct } from '../stored-product.ts'

/** What the requests of products spend of their limits (D47). */
export interface ProductUse {
  /** Whether there is a limit, so that the counters of the product are needed. */
  readonly isLimited: boolean
  /**
   * Throws RateLimited if the product has exhausted a limit that is judged before the request. The product is read with
   * its counters.
   */
  permit(product: StoredProduct, request: { isClient: boolean }): Promise<void>
  /** Throws RateLimited if the product has exhausted its indexer calls, as far as its counters say. */
  permitIndexer(product: StoredProduct, request: { isClient: boolean }): void
  /** Begins to count a permitted request. Fails for no request. */
  begin(product: StoredProduct, request: LimitedRequest): ProductRequest
  /** Counts indexer calls in the background. Fails for no work. */
  add(productId: ProductId, indexerCalls: number): Promise<void>
}

/** A request of a product, as far as the limits depend on it. */
export interface LimitedRequest {
  /** Whether the request comes from a game without an API key (D51). */
  isClient: boolean
  /** The number of NFTs that it allowlists. */
  nfts: number
}

/** A request that is being counted. */
export interface ProductRequest {
  counted: Promise<void>
  /** Notes how many indexer calls the request has made; the next request of the product counts the rest. */
  settle(indexerCalls: number): void
}

/** Counts registrations against their limits (D47). */
export interface Registrations {
  /** Counts a registration from this source address before it begins. Throws RateLimited. */
  count(sourceAddress: string): Promise<void>
}

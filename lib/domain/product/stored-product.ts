import type { Product, ProductId } from './product.ts'
import type { ProductKey } from './product-key.ts'

/** A product as it is stored: its registration, its keys, and whether it can be used (D45, D46). */
export interface StoredProduct {
  productId: ProductId
  product: Product
  createdAt: string
  /** The keys that work, and keys whose end has passed. */
  keys: readonly ProductKey[]
  /** Changes with each change of the set of keys. */
  keysVersion: number
  /** The latest change of the set of keys. */
  keysChangeId?: string
  /** When an operator stopped the product; absent unless it is stopped. */
  stoppedAt?: string
  /** When the deletion of the product began; absent unless it is being deleted. */
  endedAt?: string
  /** What an operator has permitted of its sign-in; absent if nothing (D115). */
  signInPermit?: string
  /** The counters of the product's limits, if they were read (D47). */
  counters?: Readonly<Record<string, unknown>>
}

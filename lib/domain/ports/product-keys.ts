import type { ApiKey, ProductId } from '../product/product.ts'
import type { EndedKey, KeyId, KeyReference, ProductKey } from '../product/product-key.ts'
import type { StoredProduct } from '../product/stored-product.ts'

/** The API keys, stored as digests only (D9). */
export interface ApiKeys {
  /** The product that a key belongs to. It permits nothing: ProductAccess says whether the key works. */
  referenceOf(apiKey: ApiKey): Promise<KeyReference | undefined>
}

/** The keys of products. The set of keys of a product changes by one conditional write (D46). */
export interface ProductKeys {
  /** Stores a new key. It permits nothing until `change` adds it to its product. */
  store(productId: ProductId, key: ProductKey): Promise<void>
  /**
   * Changes the set of keys in one step. Returns false and changes nothing if the set is not the set of
   * `product` any more, or if the product is being deleted.
   */
  change(product: StoredProduct, change: KeyChange): Promise<boolean>
  /** Stores how a key ends. The record counts as soon as the product does not list the key any more. */
  recordEnd(productId: ProductId, key: EndedKey): Promise<void>
  /** Deletes what is left of a key that has ended, except its record, which is kept for 90 days. */
  cleanUp(productId: ProductId, key: EndedKey): Promise<void>
  /** The records of keys that have ended, in any order. */
  listEnded(productId: ProductId): Promise<EndedKey[]>
  findEnded(productId: ProductId, keyId: KeyId): Promise<EndedKey | undefined>
}

/** A change of the set of keys of a product. */
export interface KeyChange {
  /** Identifies the change, so that a change whose response was lost is recognized. */
  changeId: string
  add?: ProductKey | undefined
  /** A listed key with its new end. */
  limit?: ProductKey | undefined
  remove: readonly KeyId[]
}

/** What the products permit (D46). Reads see every completed write. */
export interface ProductAccess {
  /** With `withCounters`, the counters of the product's limits are read too, if that is possible (D47). */
  get(productId: ProductId, options?: { withCounters: boolean }): Promise<StoredProduct | undefined>
  /**
   * Stores the day on which a key of the product was used, and lists the key of a product from before keys
   * were listed. Makes at most one write for each key and day.
   */
  noteUse(product: StoredProduct, keyId: KeyId): Promise<void>
}

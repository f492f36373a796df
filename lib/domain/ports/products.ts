import type { ApiKey, Product, ProductId } from '../product/product.ts'
import type { EventOutcome, NewEvent, ProductEvent } from '../product/product-event.ts'
import type { EndedKey, KeyId, KeyReference, ProductKey } from '../product/product-key.ts'
import type { StoredProduct } from '../product/stored-product.ts'
import type { Deadline } from '../time-budget.ts'

export interface Products {
  /** Prepares the registration of a product with `apiKey` as its key. Makes no request. */
  prepare(product: Product, apiKey: ApiKey): Registration
  /**
   * Changes fields in one step and returns all of them; `null` removes one. `undefined`: there is no product, or it is
   * being deleted (D45).
   */
  update(productId: ProductId, changes: ProductChanges): Promise<Product | undefined>
}

/** The registration of a product in two steps. A crash between them leaves a key that nobody can use (D86). */
interface Registration {
  productId: ProductId
  keyId: KeyId
  /** Stores the key, which is refused while there is no product. */
  storeKey(): Promise<void>
  /** Stores the product, which makes its key work. */
  store(): Promise<void>
}

/** The fields of a product to change: a field that is absent stays. */
type ProductChanges = { [Field in keyof Product]?: Product[Field] | null }

/** The deletion of products (D45). Calls can be repeated, also at the same time. */
export interface ProductDeletions {
  /** Ends a product with its next request. Returns false if the product does not exist. */
  end(product: StoredProduct): Promise<boolean>
  /**
   * Deletes everything of an ended product but itself, until `until`. Its contracts must be disconnected before. `isDone`: only the
   * product itself is left. Returns the numbers of deleted API keys, and of other deleted items.
   */
  sweep(
    product: StoredProduct,
    until: Deadline,
  ): Promise<{ isDone: boolean; apiKeys: number; items: number }>
  /** Deletes the product itself, if it has ended. It must be the last item that is left of it. */
  remove(productId: ProductId): Promise<void>
}

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
   * Changes the set of keys in one step. False, without a change: it has changed since, or the product is being
   * deleted.
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
   * Stores the day of the use of a key, and lists one from before keys were listed. At most one write for each key and
   * day.
   */
  noteUse(product: StoredProduct, keyId: KeyId): Promise<void>
}

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

import type { ApiKey, Product, ProductId } from '../product/product.ts'
import type { KeyId } from '../product/product-key.ts'
import type { StoredProduct } from '../product/stored-product.ts'
import type { Deadline } from '../time-budget.ts'

/** The registered products. */
export interface Products {
  /** Prepares the registration of a product with `apiKey` as its key. Makes no request. */
  prepare(product: Product, apiKey: ApiKey): Registration
  /**
   * Changes fields of a product in one step and returns all of them. `null` removes a field. `undefined`:
   * the product does not exist, or is being deleted (D45).
   */
  update(productId: ProductId, changes: ProductChanges): Promise<Product | undefined>
}

/** The registration of a product in two steps. A crash between them leaves a key that nobody can use (D86). */
export interface Registration {
  productId: ProductId
  keyId: KeyId
  /** Stores the key, which is refused while there is no product. */
  storeKey(): Promise<void>
  /** Stores the product, which makes its key work. */
  store(): Promise<void>
}

/** The fields of a product to change: a field that is absent stays. */
export type ProductChanges = { [Field in keyof Product]?: Product[Field] | null }

/** The deletion of products (D45). Calls can be repeated, also at the same time. */
export interface ProductDeletions {
  /** Ends a product with its next request. Returns false if the product does not exist. */
  end(product: StoredProduct): Promise<boolean>
  /**
   * Deletes the API keys of a product that has ended, and everything else that is stored with it, until
   * `until`; the product itself stays. Its contracts must be disconnected before.
   */
  sweep(product: StoredProduct, until: Deadline): Promise<ProductSweep>
  /** Deletes the product itself, if it has ended. It must be the last item that is left of it. */
  remove(productId: ProductId): Promise<void>
}

/** A part of the deletion of a product. */
export interface ProductSweep {
  /** Whether only the product itself is left. */
  isDone: boolean
  /** The number of deleted API keys, and of other deleted items. */
  apiKeys: number
  items: number
}

/** The products that the operator of the service has stopped (D45). Calls can be repeated. */
export interface ProductStops {
  /** Stops a product with its next request. Returns undefined if there is no product with this id. */
  stop(productId: ProductId): Promise<ProductStop | undefined>
  /** Ends a stop. Returns undefined if there is no product with this id. */
  start(productId: ProductId): Promise<ProductStop | undefined>
}

/** A product after it was stopped or started. */
export interface ProductStop {
  name: string
  /** False if the product was already in this state. */
  hasChanged: boolean
}

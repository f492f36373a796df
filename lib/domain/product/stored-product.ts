import { InvalidApiKey, MissingApiKey } from '../credential-failures.ts'
import { InsufficientScope, ProductStopped } from '../failures.ts'
import type { Product, ProductId } from './product.ts'
import { type KeyReference, type ProductKey, type Scope, works } from './product-key.ts'

/** A product as it is stored: its registration, its keys, and whether it can be used (D45, D46). */
export interface StoredProduct {
  productId: ProductId
  product: Product
  createdAt: string
  /** The keys that work, and keys whose end has passed. */
  keys: readonly ProductKey[]
  /** Changes with each change of the set of keys. */
  keysVersion: number
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

/**
 * Returns the product, with the key of the request among its keys, if the product permits the request:
 * the key works, and its scope suffices (D46). Throws InvalidApiKey, ProductStopped or InsufficientScope.
 * `now`: milliseconds since 1970.
 */
export function permittedProduct(
  product: StoredProduct | undefined,
  reference: KeyReference,
  scope: Scope,
  now: number,
): StoredProduct {
  if (!product) throw new InvalidApiKey('unknown_key')
  if (product.endedAt !== undefined) throw new InvalidApiKey('product_deleted')
  const key = product.keys.find(({ keyId }) => keyId === reference.keyId)
  if (!key || !works(key, now)) throw new InvalidApiKey('key_ended')
  if (product.stoppedAt !== undefined) throw new ProductStopped()
  if (scope === 'MANAGE' && key.scope !== 'MANAGE') throw new InsufficientScope()
  return product
}

/**
 * Returns the product if games can use it without an API key (D51). Throws MissingApiKey for any other
 * product, also for an unknown and for a stopped one, so that a caller learns nothing about a product.
 */
export function productForClients(stored: StoredProduct | undefined): StoredProduct {
  if (!stored) throw new MissingApiKey('unknown_product')
  if (stored.endedAt !== undefined) throw new MissingApiKey('product_deleted')
  if (stored.stoppedAt !== undefined) throw new MissingApiKey('product_stopped')
  if (stored.product.clientAccess !== true) throw new MissingApiKey('no_client_access')
  return stored
}

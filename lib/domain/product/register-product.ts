import type { ProductEvents, Products } from '../ports/products.ts'
import type { ApiKey, Product, ProductId } from './product.ts'
import { recordChange } from './record-change.ts'

/**
 * Stores a product, makes `apiKey` its key, and records it as the first event of the product (4.1, D49). The
 * key is stored first: what a crash leaves is a key without product, which is refused as one that does not exist (D86).
 */
export async function register(
  product: Product,
  apiKey: ApiKey,
  { products, events }: { products: Products; events: ProductEvents },
): Promise<ProductId> {
  const { productId, keyId, storeKey, store } = products.prepare(product, apiKey)
  const event = { action: 'registerProduct', keyId } as const
  await recordChange(productId, event, { concurrent: storeKey, make: store }, events)
  return productId
}

import type { ProductEvents } from './ports/product-events.ts'
import type { EventAction } from './product-event.ts'
import type { KeyId } from './product-key.ts'
import { recordChange } from './record-change.ts'
import type { StoredProduct } from './stored-product.ts'

/** Changes the keys of a product with a key of it, and records the change (D46, D49). */
export async function recordKeyChange<Result>(
  access: Promise<StoredProduct>,
  { action, keyId }: { action: EventAction; keyId: KeyId },
  change: (product: StoredProduct) => Promise<Result>,
  { events }: { events: ProductEvents },
): Promise<Result> {
  const product = await access
  const make = () => change(product)
  return await recordChange(product.productId, { action, keyId }, { make }, events)
}

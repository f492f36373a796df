import type { ProductEvents } from '../ports/product-events.ts'
import type { EventAction } from './product-event.ts'
import type { KeyId } from './product-key.ts'
import { recordChange } from './record-change.ts'
import type { StoredProduct } from './stored-product.ts'

/** A change of keys: by which key, and of which keys. */
interface NewKeyEvent {
  action: EventAction
  keyId: KeyId
  newKeyId?: KeyId
  endedKeyId?: string
}

/**
 * Changes the keys of a product with a key of it, and records the change (D46, D49). A key id that the product
 * does not list is any text of the caller, and is not recorded.
 */
export async function recordKeyChange<Result>(
  access: Promise<StoredProduct>,
  { endedKeyId, ...event }: NewKeyEvent,
  change: (product: StoredProduct) => Promise<Result>,
  { events }: { events: ProductEvents },
): Promise<Result> {
  const product = await access
  const make = () => change(product)
  const listed = product.keys.find(({ keyId }) => keyId === endedKeyId)
  const recorded = { ...event, ...(listed && { endedKeyId: listed.keyId }) }
  return await recordChange(product.productId, recorded, { make }, events)
}

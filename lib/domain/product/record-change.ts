import { unlessUnavailable } from '../failures.ts'
import type { ProductEvents } from '../ports/products.ts'
import type { ProductId } from './product.ts'
import type { EventOutcome, NewEvent } from './product-event.ts'
import type { StoredProduct } from './stored-product.ts'

/** A change of a product, and the work that may run while its event is written. */
interface Change<Result> {
  /** Begins no change: reads, and messages that have no effect before the change. */
  concurrent?: (() => Promise<unknown>) | undefined
  make: (eventId: string) => Promise<Result>
  /** The number of NFTs of the change, if it is known only afterwards. */
  countOf?: (result: Result) => number
}

/**
 * Makes a change of a product and records it (D49): the event is written before the change begins, and
 * settled after it has ended, so that no change is without a record. Throws what the change throws. A
 * change that cannot be recorded is not made.
 */
export async function recordChange<Result>(
  productId: ProductId,
  event: NewEvent,
  { concurrent, make, countOf }: Change<Result>,
  events: ProductEvents,
): Promise<Result> {
  const work = concurrent?.()
  // The failure of the event comes first, and then nothing awaits the other work.
  work?.catch(() => undefined)
  const eventId = await events.begin(productId, event)
  // The change has ended, and the caller must learn how, even if the event stays unsettled.
  const settle = (outcome: EventOutcome, count?: number) =>
    events.settle(productId, eventId, outcome, count).catch(unlessUnavailable)
  let result: Result
  try {
    await work
    result = await make(eventId)
  } catch (error) {
    await settle('failed')
    throw error
  }
  await settle('done', countOf?.(result))
  return result
}

/** Changes and records the keys of a product (D46, D49): the event identifies the change. A key id that the product does not list is not recorded. */
export async function recordKeyChange<Result>(
  access: Promise<StoredProduct>,
  { endedKeyId, ...event }: Omit<NewEvent, 'endedKeyId'> & { endedKeyId?: string },
  change: (product: StoredProduct, changeId: string) => Promise<Result>,
  { events }: { events: ProductEvents },
): Promise<Result> {
  const product = await access
  const make = (eventId: string) => change(product, eventId)
  const listed = product.keys.find(({ keyId }) => keyId === endedKeyId)
  const recorded = { ...event, ...(listed && { endedKeyId: listed.keyId }) }
  return await recordChange(product.productId, recorded, { make }, events)
}

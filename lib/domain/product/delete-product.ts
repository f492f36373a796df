import { InvalidApiKey } from '../credential-failures.ts'
import { InvalidInput, ServiceUnavailable } from '../failures.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { ProductAccess, ProductDeletions, ProductEvents } from '../ports/products.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { Deadline } from '../time-budget.ts'
import type { ProductId } from './product.ts'
import type { KeyId } from './product-key.ts'
import { recordChange } from './record-change.ts'
import type { StoredProduct } from './stored-product.ts'

interface EndProductPorts {
  productDeletions: ProductDeletions
  workQueue: WorkQueue
  events: ProductEvents
}

/**
 * Ends a product with the very next request, everywhere; the worker deletes everything that is stored of it
 * (D45). `confirm` must be the name of the product: throws InvalidInput otherwise, and changes nothing. Throws
 * InvalidApiKey if the product is deleted already.
 */
export async function endProduct(
  product: StoredProduct,
  { keyId, confirm }: { keyId: KeyId; confirm: string },
  deadline: Deadline,
  { productDeletions, workQueue, events }: EndProductPorts,
): Promise<void> {
  if (confirm !== product.product.name) throw notConfirmed()
  const { productId } = product
  await recordChange(
    productId,
    { action: 'deleteProduct', keyId },
    {
      // The message is sent first: after a crash the product goes on and the message has no effect.
      concurrent: () => workQueue.send({ kind: 'deleteProduct', productId }),
      make: async () => {
        // The message must not arrive before the product has ended.
        if (Date.now() >= deadline) throw new ServiceUnavailable('deleting ran out of time')
        if (!(await productDeletions.end(product))) throw new InvalidApiKey('product_deleted')
      },
    },
    events,
  )
}

const notConfirmed = () =>
  new InvalidInput(
    { in: 'query', path: 'confirm' },
    'must be the exact name of this product, as GET /product returns it',
  )

export interface DeleteProductPorts {
  productAccess: Pick<ProductAccess, 'get'>
  productDeletions: ProductDeletions
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  /** The time by which every request and all work that began before have ended, in seconds (D19). */
  sweepDelaySeconds: number
}

export interface DeletedItems {
  nfts: number
  contracts: number
  apiKeys: number
  others: number
}

export interface Deletion {
  /** Absent if there was nothing to delete. */
  deleted?: DeletedItems
  /** After how many seconds the rest must be deleted; absent if nothing is left. */
  continuesAfterSeconds?: number
}

/**
 * Deletes everything that is stored of a product that has ended, until `until` (D45). Does nothing if the product
 * has not ended, because the request died before. Begins only when everything that was permitted before the end
 * of the product has ended, so that nothing is written afterwards. The product itself is deleted last: while it
 * exists, a repeat finds everything that is left.
 */
export async function deleteEndedProduct(
  productId: ProductId,
  until: Deadline,
  ports: DeleteProductPorts,
): Promise<Deletion> {
  const { productAccess, productDeletions, sweepDelaySeconds } = ports
  const product = await productAccess.get(productId)
  if (product?.endedAt === undefined) return {}
  const wait = Date.parse(product.endedAt) / 1000 + sweepDelaySeconds - Date.now() / 1000
  if (wait > 0) return { continuesAfterSeconds: Math.ceil(wait) }
  const lists = await deleteAllowlists(productId, until, ports)
  const ofLists = { nfts: lists.nfts, contracts: lists.contracts, apiKeys: 0, others: 0 }
  if (!lists.isDone) return { deleted: ofLists, continuesAfterSeconds: 0 }
  const { isDone, apiKeys, items } = await productDeletions.sweep(product, until)
  const deleted = { ...ofLists, apiKeys, others: items }
  if (!isDone) return { deleted, continuesAfterSeconds: 0 }
  await productDeletions.remove(productId)
  return { deleted: { ...deleted, others: items + 1 } }
}

/** Disconnects the contracts of a product, each after everything on its allowlist is deleted. */
async function deleteAllowlists(
  productId: ProductId,
  until: Deadline,
  { contracts, allowedTokenIds }: DeleteProductPorts,
) {
  let nfts = 0
  let disconnected = 0
  for (const contract of await contracts.list(productId)) {
    const { isDone, deleted } = await allowedTokenIds.sweep(contract.bindingId, until)
    nfts += deleted
    if (!isDone) return { isDone, nfts, contracts: disconnected }
    await contracts.disconnect(productId, contract)
    disconnected += 1
  }
  return { isDone: true, nfts, contracts: disconnected }
}

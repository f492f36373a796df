import type { Contract } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'

/**
 * An item of background work. A work item may arrive twice, late or out of order, so it names resources,
 * and the worker reads their current state from the table.
 */
export type WorkItem =
  /** Deletes the entries of an unbound contract (D19). */
  | { kind: 'sweep'; productId: ProductId; contract: Contract }
  /** Continues a refresh after the part that the request has done (D31). */
  | {
      kind: 'refresh'
      productId: ProductId
      contract: Contract
      refreshId: string
      /** The event of the refresh (D49). */
      eventId?: string | undefined
    }
  /** Deletes everything of a product that has ended (D45). */
  | { kind: 'deleteProduct'; productId: ProductId }

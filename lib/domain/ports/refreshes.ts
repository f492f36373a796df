import type { Contract, ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'
import type { RefreshState } from '../refresh/refresh-state.ts'

/** The refreshes of metadata: one for each product, contract and chain (D31). */
export interface Refreshes {
  /**
   * Starts a refresh and returns its state. `undefined`: a refresh of the same connection started less
   * than 15 minutes ago. A refresh without a report, because its function died, prevents another for
   * 60 s only. The state of the next refresh after one that did not check all NFTs says which NFTs can
   * have changes that nobody has reported (D38).
   */
  start(productId: ProductId, contract: Contract): Promise<RefreshState | undefined>
  /** Marks a started refresh as failed, so that another can start at once. */
  abandon(productId: ProductId, contract: ContractKey, started: RefreshState): Promise<void>
  get(productId: ProductId, contract: ContractKey): Promise<RefreshState | undefined>
  /** Replaces the state `from` by `to`. False, without a change: another delivery of the same work item was faster. */
  advance(
    productId: ProductId,
    contract: ContractKey,
    from: RefreshState,
    to: RefreshState,
  ): Promise<boolean>
}

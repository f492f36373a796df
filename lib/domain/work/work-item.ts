import type { TokenId } from '../allowlist/token-id.ts'
import type { Suspicion } from '../audits/audit-holdings.ts'
import type { SecondLook } from '../audits/second-look.ts'
import type { Chain } from '../nft/chain.ts'
import type { Contract, ContractKey } from '../nft/nft.ts'
import type { SnapshotKey } from '../ports/kept-contracts.ts'
import type { ProductId } from '../product/product.ts'
import type { Deadline } from '../time-budget.ts'

/**
 * An item of background work. It may arrive twice, late or out of order, so the worker reads the state of what it
 * names.
 */
export type WorkItem = ProductWork | UpkeepWork

export type ProductWork =
  /** Deletes the entries of an unbound contract (D19). */
  | { kind: 'sweep'; productId: ProductId; contract: Contract }
  /** Continues a refresh after the part that the request has done (D31). */
  | {
      kind: 'refresh'
      productId: ProductId
      contract: Contract
      refreshId: string
      eventId?: string | undefined
    }
  /** Deletes everything of a product that has ended (D45). */
  | { kind: 'deleteProduct'; productId: ProductId }

/** Work for the contracts whose holders are kept (D153). */
export type UpkeepWork =
  /** Decides what is due, and sends the other items. */
  | { kind: 'upkeep' }
  /** Works at the snapshot of a contract, if it is the turn of this item. */
  | { kind: 'snapshot'; contract: ContractKey; turn: number }
  /** Keeps metadata before it is shown, of the NFTs after one. `looked`: how many were looked at before (D155). */
  | { kind: 'prefetch'; contract: ContractKey; after?: TokenId | undefined; looked: number }
  /** Compares what is kept of a contract with the chain, or looks at a suspicion again, until a moment (D154). */
  | { kind: 'audit'; contract: ContractKey; suspicion?: Suspicion | undefined; until?: Deadline }
  /** Reads the events of blocks again, as often as needed until a moment (D154). */
  | { kind: 'secondLook'; look: SecondLook; until: Deadline }
  /** Asks for metadata of a chain that is due (D155). */
  | { kind: 'dueMetadata'; chain: Chain }
  /** Deletes the lists of a snapshot that is not used any more (D153). */
  | { kind: 'deleteLists'; snapshot: SnapshotKey }

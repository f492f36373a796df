import type { SnapshotId } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { Deadline } from '../time-budget.ts'
import type { SnapshotKey } from './kept-contracts.ts'

/** The lists of a pass or a snapshot that are not deleted yet. */
export interface RegisteredLists {
  address: Address
  id: SnapshotId
  /** Since when nothing has used them, as far as it was noted, in milliseconds since 1970. */
  unusedSince?: number | undefined
}

/** The lists of all passes and snapshots, to delete those that nothing uses. Reads are consistent. Every method throws ServiceUnavailable. */
export interface SnapshotLists {
  /** The lists of a chain that were begun and are not deleted yet. */
  all(chain: Chain): Promise<RegisteredLists[]>
  /** Notes since when nothing uses some lists; `undefined`: something does. Lists that are deleted stay so. */
  markUnused(snapshot: SnapshotKey, at: number | undefined): Promise<void>
  /**
   * Deletes the lists of all wallets that were noted, and what was noted of them. Returns whether nothing is left. Can be repeated, also after
   * it was ended by the deadline, a failure or a crash.
   */
  delete(snapshot: SnapshotKey, until: Deadline): Promise<boolean>
}

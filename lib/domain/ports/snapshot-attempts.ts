import type { Holdings } from '../holdings/holdings.ts'
import type { SnapshotId } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { SnapshotAttempt } from '../snapshots/snapshot-attempt.ts'
import type { Deadline } from '../time-budget.ts'
import type { SnapshotKey } from './kept-contracts.ts'

/** What the worker keeps while it takes the snapshot of a contract. Reads are consistent. Every method throws ServiceUnavailable. */
export interface SnapshotAttempts {
  /** The attempt for a contract; `undefined` if there is none, or it is damaged. */
  get(contract: ContractKey): Promise<SnapshotAttempt | undefined>
  /** All attempts of a chain, by contract, without those that are damaged. */
  all(chain: Chain): Promise<ReadonlyMap<Address, SnapshotAttempt>>
  /**
   * Writes an attempt with its version, in place of the one of the version before, or of none. `false`: that is not there any more.
   */
  write(contract: ContractKey, attempt: SnapshotAttempt): Promise<boolean>
  /** Ends an attempt, if it is that of the version. */
  end(contract: ContractKey, version: number): Promise<void>
  /** Registers the lists of a pass before the first one is written. The attempt names the pass already. Can be repeated. */
  beginLists(snapshot: SnapshotKey): Promise<void>
  /**
   * Adds what a wallet holds to its list, whose block is 0, unless events have settled in the list. Can be repeated. Returns whether the
   * list has it: one that is too long has nothing. The wallet is noted before.
   */
  addToList(snapshot: SnapshotKey, wallet: Address, tokens: Holdings): Promise<boolean>
}

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
   * Deletes the lists of all noted wallets, and the notes. Returns whether nothing is left. Can be repeated after any
   * end.
   */
  delete(snapshot: SnapshotKey, until: Deadline): Promise<boolean>
}

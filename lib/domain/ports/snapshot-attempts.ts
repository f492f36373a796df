import type { Holdings } from '../holdings/holdings.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { SnapshotAttempt } from '../snapshots/snapshot-attempt.ts'
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

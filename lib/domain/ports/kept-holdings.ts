import type { KeptContract, SnapshotId } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { KeptList } from './kept-contracts.ts'

/** How far a chain is read: what every reader of it shares. */
export interface KeptPosition {
  /** When its read had ended, in milliseconds since 1970. */
  readBy: number
  /** The number of the step that has written it. */
  step: number
  /** The time of the confirmed block, in milliseconds since 1970 (D85). */
  confirmedUpTo: number
}

/** What readers need of a kept contract. */
export type ReadContract = Pick<KeptContract, 'address' | 'snapshot' | 'events' | 'readUpTo'>

/** A value, and when its read began, in milliseconds since 1970. */
export interface Timed<Value> {
  value: Value
  readAt: number
}

/** The lists of a wallet: those of each contract and each of its snapshots that are not deleted yet. */
export type WalletLists = ReadonlyMap<Address, ReadonlyMap<SnapshotId, KeptList>>

/** What readers read of kept contracts. All reads are consistent. Every method throws ServiceUnavailable. */
export interface KeptHoldings {
  /**
   * How far a chain is read; a container reads it at most once a second, unless `isAnew`. `undefined`: nothing of the chain is kept.
   */
  position(chain: Chain, isAnew: boolean): Promise<KeptPosition | undefined>
  /**
   * The contracts of a chain that are kept or about to be, of these. A container reads each at most once a second, and uses none whose
   * read began before `since`.
   */
  contracts(
    chain: Chain,
    addresses: readonly Address[],
    since: number,
  ): Promise<Timed<ReadContract>[]>
  /** The lists of a wallet for these contracts, whole. */
  lists(chain: Chain, wallet: Address, addresses: readonly Address[]): Promise<WalletLists>
}

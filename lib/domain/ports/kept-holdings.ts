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
  /** The time of the confirmed block, in milliseconds since 1970 (D152). */
  confirmedUpTo: number
}

/** What readers need of a contract that is kept, or is about to be. */
export type ReadContract = Pick<
  KeptContract,
  'address' | 'snapshot' | 'events' | 'readUpTo' | 'changed' | 'log' | 'ended'
>

/** A value, and when its read began, in milliseconds since 1970. */
export interface Timed<Value> {
  value: Value
  readAt: number
}

/** The snapshots that are in use, by contract. */
export type SnapshotNames = ReadonlyMap<Address, SnapshotId>

/** The lists of a wallet by contract: those that there are. */
export type WalletLists = ReadonlyMap<Address, KeptList>

/** What readers read of kept contracts. All reads are consistent. Every method throws ServiceUnavailable. */
export interface KeptHoldings {
  /**
   * How far a chain is read; a container reads it at most once a second, unless `isAnew`. `undefined`: nothing of the chain is kept, or
   * that cannot be read at once.
   */
  position(chain: Chain, isAnew: boolean): Promise<KeptPosition | undefined>
  /**
   * The contracts of a chain that are kept or about to be, of these. A container reads each at most once a second, and uses none whose
   * read began before `since`. Notes beside the request that the chain is read, by which the follower polls it.
   */
  contracts(
    chain: Chain,
    addresses: readonly Address[],
    since: number,
  ): Promise<Timed<ReadContract>[]>
  /** The lists of a wallet in these snapshots of contracts, whole. What needs their names is read once they are there. */
  lists(chain: Chain, wallet: Address, snapshots: Promise<SnapshotNames>): Promise<WalletLists>
}

import { largestTokenId, type TokenId, tokenIdOf } from '../allowlist/token-id.ts'
import type { Holdings } from '../holdings/holdings.ts'
import type { KeptContract, SnapshotId } from '../holdings/kept-contract.ts'
import type { KeptEvent } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'

/** The lists of a snapshot. */
export interface SnapshotKey extends ContractKey {
  id: SnapshotId
}

/** A range of token identifiers, both ends included. */
export interface TokenIds {
  fromTokenId: TokenId
  toTokenId: TokenId
}

/** What is wanted of a list that is read whole. */
export const everyToken: TokenIds = {
  fromTokenId: tokenIdOf(0n),
  toTokenId: tokenIdOf(largestTokenId),
}

/** A list of what a wallet holds in a snapshot, as it was read. */
export interface KeptList {
  /** The block up to which every event is in it. It never goes back. */
  settledUpTo: number
  /** What the wallet holds of the token identifiers that were asked for. */
  tokens: Holdings
  /** Whether the wallet holds more than a list takes: the indexer is asked, until the next snapshot. */
  isTooLong?: boolean | undefined
}

export interface ListChange {
  settledUpTo: number
  /** The balances that change; with 0, the NFT is not held. */
  balances: ReadonlyMap<TokenId, bigint>
  /** Whether the wallet holds more than a list takes, whatever the balances are. */
  isTooLong?: boolean | undefined
}

/**
 * What the follower of a chain and the worker that takes snapshots keep of contracts and their holders. All reads are consistent. Each write can be
 * repeated, and is made only if what it replaces is as it was read. Every method throws ServiceUnavailable.
 */
export interface KeptContracts {
  /**
   * The kept contracts of a chain, or about to be. Of a damaged item, only the version is known; the next write
   * replaces it.
   */
  contracts(chain: Chain): Promise<KeptContract[]>
  /** One of them; `undefined` if it is not kept. */
  contract(contract: ContractKey): Promise<KeptContract | undefined>
  /** Removes a contract, if it is that of the version. `false`: that is not there any more. */
  remove(chain: Chain, contract: KeptContract): Promise<boolean>
  /** Writes a contract with its version, in place of the one of the version before. `false`: that is not there any more. */
  write(chain: Chain, contract: KeptContract): Promise<boolean>
  /** The lists of wallets, with what they hold of the token identifiers of each. A wallet without a list is left out. */
  lists(
    snapshot: SnapshotKey,
    wanted: ReadonlyMap<Address, readonly TokenIds[]>,
  ): Promise<ReadonlyMap<Address, KeptList>>
  /** Notes wallets before they get lists, so that these can be found and deleted: see SnapshotLists. */
  noteHolders(snapshot: SnapshotKey, wallets: readonly Address[]): Promise<void>
  /** Changes a list from what was read; `undefined`: there was none. `false`: it is not as it was read any more. */
  change(
    snapshot: SnapshotKey,
    wallet: Address,
    from: KeptList | undefined,
    change: ListChange,
  ): Promise<boolean>
  /** Logs settled events of a contract for the next snapshot. An event with the block and index of another one takes its place. */
  log(contract: ContractKey, events: readonly KeptEvent[]): Promise<void>
  /** The logged events in the blocks after one and up to another one, in the order of the chain. */
  logged(contract: ContractKey, blocks: { after: number; upTo: number }): AsyncIterable<KeptEvent>
}

/** How far a chain is read: what every reader of it shares. */
export interface KeptPosition {
  /** When its read had ended, in milliseconds since 1970. */
  readBy: number
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

export type SnapshotNames = ReadonlyMap<Address, SnapshotId>

export type WalletLists = ReadonlyMap<Address, KeptList>

/** What readers read of kept contracts. All reads are consistent. Every method throws ServiceUnavailable. */
export interface KeptHoldings {
  /**
   * How far a chain is read; at most a second old, unless `isAnew`. `undefined`: nothing is kept, or it cannot be read
   * at once.
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

import type { Address } from '../nft/address.ts'
import type { NftStandard } from '../nft/nft-standard.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { Block } from '../reading/kept-reading.ts'
import type { KeptEvent } from './kept-event.ts'

/** Why the snapshot of a contract is not used any more, so that the indexer is asked. */
export type SnapshotEnd =
  /** Nobody has read some blocks, or the events of an hour could not settle. */
  | 'gap'
  /** Blocks were replaced after their events had settled. */
  | 'reorganization'
  /** The source has not told events for a minute that it had told before. */
  | 'lacking'
  /** An event is not of the standard of the contract. */
  | 'unknownEvent'
  /** There are more events than an item holds. */
  | 'tooManyEvents'
  /** The contract is suspended: it has more events than a contract may have, or the source refuses to tell them. */
  | 'suspended'
  /** The chain says something else than the lists, twice. */
  | 'audit'
  /** The source tells other events than those that have settled, twice. */
  | 'secondLook'

/** The identifier of an attempt to take a snapshot, in the order of time. */
export type SnapshotId = string

/** A snapshot of who holds the NFTs of a contract. */
export interface Snapshot {
  id: SnapshotId
  standard: NftStandard
  /** A read whose position is of an earlier step does not use it: it may have read the lists before they were written. */
  step: number
  /** The block up to which every event was in the lists when they were handed over. */
  since: number
}

/**
 * What the follower knows of a contract whose holdings are kept, or are about to be: one item for each, which the follower and the
 * worker that takes snapshots write, only as they have read it.
 */
export interface KeptContract {
  address: Address
  /** Greater by 1 with each write. */
  version: number
  /** The block up to which events are in the lists of the snapshot, if there were any since. */
  settledUpTo: number
  /** The block up to which events are not in the item any more. */
  eventsAfter: number
  /** When events last settled, in milliseconds since 1970. */
  settledAt: number
  /** The block up to which the events were read that are in the item. */
  readUpTo: number
  /** In the order of the chain: those that have settled last, and those that have not. */
  events: readonly KeptEvent[]
  /** Since when the source lacks events that are here, in milliseconds since 1970. */
  lacksSince?: number | undefined
  /**
   * Present if settled events are logged for a snapshot of a contract of this standard: every one after the block, once a step has
   * begun with it.
   */
  log?: { standard: NftStandard; since?: Block | undefined } | undefined
  /** The snapshot that is in use. */
  snapshot?: Snapshot | undefined
  /** A snapshot whose lists are written, and which the follower takes over. */
  prepared?: Snapshot | undefined
  /** The end of the latest snapshot that is not used any more. */
  ended?: { reason: SnapshotEnd; at: number } | undefined
}

/** Whether a snapshot of a contract is in use or begun, so that it matters what its events are. */
export const hasBegun = ({ snapshot, prepared, log }: KeptContract): boolean =>
  (snapshot ?? prepared ?? log?.since) !== undefined

/** How long no snapshot is taken of a contract with an event that is not of its standard, in milliseconds: 30 days. */
const refusedMilliseconds = 30 * 86_400_000

/** Whether no snapshot of a contract is taken, because nobody knows what its events mean. */
export const isRefused = ({ ended }: KeptContract, now: number): boolean =>
  ended?.reason === 'unknownEvent' && now - ended.at < refusedMilliseconds

/** A contract of which nothing is known yet. */
export const newKeptContract = (address: Address): KeptContract => ({
  address,
  version: 0,
  settledUpTo: 0,
  eventsAfter: 0,
  settledAt: 0,
  readUpTo: 0,
  events: [],
})

/** How far the events of a chain may settle. Part of the position of its follower. */
export interface SettlingPosition {
  /**
   * The block up to which the next step settles, if it finds the same events up to there as the steps before. It is as old as what
   * each step reads again.
   */
  declared: HashedBlock
  /** The block that the position before this one has declared. */
  declaredBefore: HashedBlock
  /** What the last poll has read with several calls for a contract, which counts once the next one reads the same. */
  answer?: SplitAnswer | undefined
}

/** What a poll has read. */
export interface SplitAnswer {
  readUpTo: number
  /** When its last answer had come, in milliseconds since 1970. */
  answeredAt: number
  /** The block and the key of each event by contract. */
  events: Readonly<Record<Address, readonly (readonly [block: number, key: string])[]>>
}

/** The block up to which every event of a contract is in the lists: its own, or the chain's while it has no other events. */
export function settledBlock(
  { declaredBefore }: SettlingPosition,
  { settledUpTo, events }: Pick<KeptContract, 'settledUpTo' | 'events'>,
): number {
  const unsettled =
    events.find(({ block }) => block > settledUpTo)?.block ?? Number.POSITIVE_INFINITY
  return Math.max(settledUpTo, Math.min(declaredBefore.number, unsettled - 1))
}

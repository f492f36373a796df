import { compareTokenIds, type TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { NftStandard } from '../nft/nft.ts'
import type { Block, HashedBlock } from '../ports/chain-events.ts'
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
  /** The contract is suspended: it has more events than a contract may have. */
  | 'busy'
  /** The contract is suspended: the source refuses to tell its events. */
  | 'refused'
  /** The chain says something else than the lists, twice. */
  | 'audit'
  /** The source tells other events than those that have settled, twice. */
  | 'secondLook'
  /** The contract has more NFTs than are kept of one. */
  | 'tooManyTokens'
  /** The indexer lists no owners of the contract. */
  | 'notListed'
  /** Nobody has read the contract for a week, or another one that is read more has taken its place. */
  | 'letGo'

/** The identifier of an attempt to take a snapshot, in the order of time. */
export type SnapshotId = string

export interface Snapshot {
  id: SnapshotId
  standard: NftStandard
  /** A read whose position is of an earlier step does not use it: it may have read the lists before they were written. */
  step: number
  /** The block up to which every event was in the lists when they were handed over, and its time in milliseconds since 1970. */
  since: number
  at: number
}

/** How long a snapshot is used at most, in milliseconds: a month and a day. Its lists, begun up to a day before, expire later. */
const longestUse = 31 * 86_400_000

/** Whether a snapshot is not used any more, although no other one has taken its place. */
export const isOver = ({ at }: Snapshot, now: number): boolean => now - at > longestUse

/** Token identifiers whose metadata may be new (ERC-4906), from one to another, both included. */
export interface ChangedMetadata {
  fromTokenId: TokenId
  toTokenId: TokenId
  /** The time of the block, in milliseconds since 1970. */
  at: number
}

/**
 * What is known of a kept contract, or of one about to be. The follower and the worker write it only as they have read
 * it.
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
  /** The latest changes of metadata: older ones are one entry, which names at least the same tokens. */
  changed?: readonly ChangedMetadata[] | undefined
  /** Since when the source lacks events that are here, in milliseconds since 1970. */
  lacksSince?: number | undefined
  /** Present if settled events are logged for a snapshot: every one after the block, once a step has begun with it. */
  log?: { standard: NftStandard; since?: Block | undefined } | undefined
  snapshot?: Snapshot | undefined
  /** A snapshot whose lists are written, and which the follower takes over. */
  prepared?: Snapshot | undefined
  /** The end of the latest snapshot that is not used any more; of one that the chain contradicts, with what endSnapshot says of it. */
  ended?:
    | {
        reason: SnapshotEnd
        at: number
        id?: SnapshotId | undefined
        isRepeated?: boolean | undefined
      }
    | undefined
}

/** The latest known change of the metadata of a token (ERC-4906), in milliseconds since 1970; `undefined` if none is known. */
export function latestChange(
  { changed = [] }: Pick<KeptContract, 'changed'>,
  tokenId: TokenId,
): number | undefined {
  const about = changed.filter(
    ({ fromTokenId, toTokenId }) =>
      compareTokenIds(fromTokenId, tokenId) <= 0 && compareTokenIds(tokenId, toTokenId) <= 0,
  )
  return about.length > 0 ? Math.max(...about.map(({ at }) => at)) : undefined
}

/** Whether a snapshot of a contract is in use or begun, so that it matters what its events are. */
export const hasBegun = ({ snapshot, prepared, log }: KeptContract): boolean =>
  (snapshot ?? prepared ?? log?.since) !== undefined

/** Whether a contract was let go, and nothing has begun of it since. */
export const isLetGo = ({ ended, snapshot, prepared, log }: KeptContract): boolean =>
  ended?.reason === 'letGo' && (snapshot ?? prepared ?? log) === undefined

/** The ends after which no snapshot is taken for a month: they say something of the contract. */
const refusals: readonly (SnapshotEnd | undefined)[] = [
  'unknownEvent',
  'tooManyTokens',
  'notListed',
]

/** How long no snapshot is taken after such an end, in milliseconds: 30 days. */
const refusedMilliseconds = 30 * 86_400_000

/** Whether no snapshot of a contract is taken: its events are not understood, it is too large, or its owners are not listed. */
export const isRefused = ({ ended }: Pick<KeptContract, 'ended'>, now: number): boolean =>
  ended !== undefined && refusals.includes(ended.reason) && now - ended.at < refusedMilliseconds

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
   * The block up to which the next step settles, if it finds the same events. It is as old as what each step reads
   * again.
   */
  declared: HashedBlock
  /** The block that the position before this one has declared. */
  declaredBefore: HashedBlock
  /** What the last poll has read with several calls for a contract, which counts once the next one reads the same. */
  answer?: SplitAnswer | undefined
}

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

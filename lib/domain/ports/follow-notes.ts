import type { SettlingPosition } from '../holdings/kept-contract.ts'
import type { SettledDigest } from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { LogEntry } from '../nft-events/nft-event.ts'
import type { Block, HashedBlock } from './chain-events.ts'

/** A block that a step has read up to, or has begun with. */
export interface KnownBlock extends HashedBlock {
  /** When the step had read it; absent when nothing more is to be found out about it. */
  readAt?: number | undefined
}

/** How far a chain is read. Written after the notes of the blocks up to it (D152). */
export interface FollowPosition {
  /** The last block that is read. Its time is never in the future. */
  head: HashedBlock
  /** The time of the last block whose events are all read, as far as nodes are at most a poll apart (D152). */
  confirmedUpTo: number
  /**
   * Known blocks, in the order of their numbers: those that the next step reads again, and those still to be compared.
   */
  blocks: readonly KnownBlock[]
  /** Greater by 1 with each step. */
  step: number
  /** How far the events of watched contracts are logged (D117); absent if no contract is watched. */
  log?: LogPosition | undefined
  /** How far the events of kept contracts may settle; absent if no contract is kept. */
  settling?: SettlingPosition | undefined
}

/** How far the events of the watched contracts of a chain are logged. Written after the entries up to it. */
export interface LogPosition {
  loggedUpTo: Block
  contracts: number
  /** The numbers of the blocks after it in which events of watched contracts were seen, one for each event. */
  seen: Readonly<Record<Address, readonly number[]>>
}

/** A contract whose events are logged, or were. */
export interface FollowedContract {
  address: Address
  /** Its events are logged until then, in milliseconds since 1970 (D117). */
  watchedUntil: number
  /** It had too many events, or the source refused to tell them, and is not followed until then. */
  suspendedUntil?: number | undefined
  /** The end of the latest suspension because the source refused (D139). */
  refusedUntil?: number | undefined
  /** Webhooks are told of its events until then, in milliseconds since 1970 (D122). */
  pushedUntil?: number | undefined
  /** Whether every event up to the position of the log is logged; absent before the first step that logs them. */
  isLogged?: true | undefined
}

export interface ContractChange {
  from: FollowedContract
  suspendedUntil?: number | undefined
  refusedUntil?: number | undefined
  isLogged?: true | undefined
}

export interface ContractLog {
  contract: Address
  entries: readonly LogEntry[]
}

/** What the follower of a chain notes in the table. Every write can be repeated. */
export interface FollowNotes {
  /**
   * Takes or renews the right to follow a chain; `undefined` while another holder has it. `before`: who had it, if it was not released; that is
   * the holder itself when it renews, or when the response to its own first write was lost.
   */
  lease(
    chain: Chain,
    holder: string,
    milliseconds: number,
  ): Promise<{ before?: string | undefined } | undefined>
  release(chain: Chain, holder: string): Promise<void>
  /** How far the chain is read; `undefined` if nothing usable is noted of it. */
  position(chain: Chain): Promise<FollowPosition | undefined>
  contracts(chain: Chain): Promise<FollowedContract[]>
  /** Writes entries of logs. An entry with the block, the index and the kind of another one takes its place. */
  log(chain: Chain, logs: readonly ContractLog[]): Promise<void>
  /** Notes a logged block as one of the milestones of the chain, which are kept as long as the entries of logs. */
  noteMilestone(chain: Chain, block: HashedBlock): Promise<void>
  milestones(chain: Chain): Promise<HashedBlock[]>
  /** Notes that contracts are logged, or suspended. False, with some changes made: another follower was faster. */
  noteContracts(chain: Chain, changes: readonly ContractChange[]): Promise<boolean>
  /** Writes the position if `holder` has the lease and the noted one is `from`, if given; otherwise returns false. */
  moveTo(
    chain: Chain,
    holder: string,
    position: FollowPosition,
    from: FollowPosition | undefined,
  ): Promise<boolean>
  /**
   * Shows the readers of kept contracts how far the chain is read, and returns when a read of the chain was last noted, in milliseconds
   * since 1970. `undefined`: they see a later position already.
   */
  showReaders(
    chain: Chain,
    position: Pick<FollowPosition, 'step' | 'confirmedUpTo'>,
  ): Promise<{ askedAt?: number | undefined } | undefined>
}

/** What the follower has settled of kept contracts, for a day. Reads are consistent. Each method throws ServiceUnavailable. */
export interface SettledDigests {
  /** Notes what settles, before it is in a list. Can be repeated. What is noted is never replaced. */
  add(contract: ContractKey, digest: SettledDigest): Promise<void>
  /** What was noted up to each of the blocks after one and up to another one, in the order of the chain. */
  read(contract: ContractKey, blocks: { after: number; upTo: number }): Promise<SettledDigest[]>
}

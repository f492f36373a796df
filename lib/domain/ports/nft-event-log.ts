import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { LogEntry, LogPlace } from '../nft-events/nft-event.ts'
import type { LogPosition } from './follow-notes.ts'

/** An entry of a log. That of a transfer of many NFTs has a part of them. */
export interface PlacedEntry extends LogEntry {
  /** How many NFTs of the transfer are in earlier entries. */
  place: number
}

/** How far the logs of a chain are complete: what readers need of it. */
export type LoggedPart = Omit<LogPosition, 'seen'>

/** Entries of the log of a contract, in the order of the chain. */
export interface LogPage {
  entries: readonly PlacedEntry[]
  hasMore: boolean
}

/** Until when a contract is watched, and webhooks are told of its events; and until when the source refuses them (D139). */
export interface WatchLease {
  watchedUntil: number
  pushedUntil: number
  refusedUntil: number
}

/** What readers do with the logs of contracts (D117). All times are in milliseconds since 1970. */
export interface NftEventLog {
  /** How far the logs of chains are complete. Nothing of a chain in which no contract is watched. */
  positions(chains: readonly Chain[]): Promise<ReadonlyMap<Chain, LoggedPart>>
  /** The lease of each of these contracts, of which there are at most 100; with 0 for never. */
  leases(contracts: readonly ContractKey[]): Promise<WatchLease[]>
  /** Has the events of contracts logged until a time, and webhooks told of them, too. */
  watch(
    contracts: readonly ContractKey[],
    lease: { until: number; isPushed: boolean },
  ): Promise<void>
  /**
   * Up to `limit` entries from a place to the end of a block, and before them the part of the same event before the
   * place.
   */
  entries(
    contract: ContractKey,
    range: { from: LogPlace; upTo: number; limit: number },
  ): Promise<LogPage>
  /**
   * Blocks of a chain between which a time lies: one at or before it, or 0 if none is known, and one at or after it, if one is known. Each
   * event since that time is after the first block, and each event after the second one is since that time; so are the events of both.
   */
  milestonesAround(
    chain: Chain,
    time: number,
  ): Promise<{ before: number; after?: number | undefined }>
}

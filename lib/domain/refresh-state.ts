import type { BindingId } from './nft.ts'
import type { TokenId } from './token-id.ts'

/** The state of the refresh of one contract (D31). */
export interface RefreshState {
  refreshId: string
  /** The connection of the contract that the refresh belongs to. */
  bindingId: BindingId
  /** The start of the refresh, RFC 3339 in UTC. */
  refreshedAt: string
  /** The number of NFTs that were checked. */
  checked: number
  /** The number of these whose metadata has changed. */
  changed: number
  /** The number of these that could not be fetched from their source. */
  failed: number
  /** The number of NFTs still to be checked; absent before the first report. */
  pending?: number
  /** The last token identifier that was checked. */
  position?: TokenId
  /**
   * Left by refreshes that did not check all NFTs: metadata of the NFTs after `after` that the indexer
   * fetched since `since` (RFC 3339 in UTC) can be new without having been counted (D38).
   */
  unsettled?: Unsettled
  /** Where the next refresh begins, after one that has checked the maximum number of NFTs (D47). */
  continuesAfter?: TokenId
}

export interface Unsettled {
  since: string
  after?: TokenId
}

/** What a refresh leaves to the next one; `undefined` if it has checked all NFTs. */
export function unsettledBy(state: RefreshState): Unsettled | undefined {
  if (state.pending === 0) return undefined
  // A second failure must not forget what the first one left.
  if (state.unsettled) return state.unsettled
  const { refreshedAt: since, position } = state
  return { since, ...(position !== undefined && { after: position }) }
}

/** The time after the start of a refresh in which no other can start, in milliseconds (D31). */
export const refreshIntervalMilliseconds = 15 * 60_000

/**
 * The same for a refresh that has not reported, in milliseconds: after that time its function has ended
 * without a report.
 */
export const unreportedRefreshMilliseconds = 60_000

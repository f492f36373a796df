import type { TokenId } from '../allowlist/token-id.ts'
import type { BindingId } from '../nft/nft.ts'
import type { PageProgress } from '../reading/reading-position.ts'

/** The state of the refresh of one contract (D31). */
export interface RefreshState {
  refreshId: string
  /** The connection of the contract that the refresh belongs to. */
  bindingId: BindingId
  /** The start of the refresh, RFC 3339 in UTC. */
  refreshedAt: string
  checked: number
  changed: number
  /** The number of these that could not be fetched from their source. */
  failed: number
  /** The number of NFTs still to be checked; absent before the first report. */
  pending?: number
  /** The last single token identifier that was checked. */
  position?: TokenId
  /** The pages of the contract's NFTs, which follow the single identifiers if the contract has ranges (D59). */
  contractPages?: ContractPages
  /**
   * NFTs after `after` whose metadata was fetched since `since` (RFC 3339 in UTC), and can be new without having been
   * counted (D38).
   */
  unsettled?: Unsettled
  /** Where the next refresh begins, after one that has checked the maximum number of NFTs (D47). */
  continuesAfter?: TokenId
  /** The same for one that has read pages of the contract's NFTs. */
  continuesAtPage?: ContractPages
}

/** How far a refresh has read the contract's NFTs (D59). */
export interface ContractPages {
  pageKey?: string
  /** Absent for the first page. */
  progress?: PageProgress
  read: number
  /** The number of NFTs on these pages that are in no range. An empty page counts as a full one. */
  skipped: number
  /**
   * The pages before have listed every NFT up to it; absent before the first NFT, and if the pages are not in order.
   */
  upTo?: TokenId
}

export const firstContractPage: ContractPages = { read: 0, skipped: 0 }

/** The number of NFTs that a refresh has looked at for its limits: checked, or listed outside the ranges. */
export const lookedAt = ({ checked, contractPages }: RefreshState): number =>
  checked + (contractPages?.skipped ?? 0)

/** Where the next refresh begins after one that has looked at the maximum number of NFTs (D47). */
export function nextStart({
  position,
  contractPages,
}: RefreshState): Pick<RefreshState, 'continuesAfter' | 'continuesAtPage'> {
  if (contractPages) return { continuesAtPage: { ...contractPages, read: 0, skipped: 0 } }
  return position === undefined ? {} : { continuesAfter: position }
}

/** The position of a refresh that begins where an earlier one has ended (D47). */
export const startAfter = ({
  pending,
  continuesAfter,
  continuesAtPage,
}: RefreshState): Pick<RefreshState, 'position' | 'contractPages'> => ({
  ...(pending === 0 && continuesAfter !== undefined && { position: continuesAfter }),
  ...(pending === 0 && continuesAtPage && { contractPages: continuesAtPage }),
})

interface Unsettled {
  since: string
  after?: TokenId
  rangesAfter?: TokenId
}

/** What a refresh leaves to the next one; `undefined` if it has checked all NFTs. */
export function unsettledBy(state: RefreshState): Unsettled | undefined {
  if (state.pending === 0) return undefined
  // A second failure must not forget what the first one left.
  if (state.unsettled) return state.unsettled
  const { refreshedAt: since, position, contractPages } = state
  const rangesAfter = contractPages?.upTo
  return {
    since,
    ...(position !== undefined && { after: position }),
    ...(rangesAfter !== undefined && { rangesAfter }),
  }
}

/** The time after the start of a refresh in which no other can start, in milliseconds (D31). */
export const refreshIntervalMilliseconds = 15 * 60_000

/** The same for a refresh without a report, in milliseconds: its function has ended by then. */
export const unreportedRefreshMilliseconds = 60_000

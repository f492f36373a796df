import type { TokenId } from './token-id.ts'

/** How many NFTs of a refresh were looked at, changed, could not be fetched (D31). */
export interface RefreshCounts {
  checked: number
  changed: number
  failed: number
}

/** What is known of a refresh (D31). */
export interface RefreshState extends RefreshCounts {
  refreshId: string
  /** When it was begun, RFC 3339 in UTC. */
  refreshedAt: string
  /** How many NFTs are still to be looked at. */
  pending: number
  /** The last token identifier that was looked at. */
  position?: TokenId
}

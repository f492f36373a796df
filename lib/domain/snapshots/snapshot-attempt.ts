import type { SnapshotId } from '../holdings/kept-contract.ts'
import type { NftStandard } from '../nft/nft.ts'
import type { HashedBlock } from '../ports/chain-events.ts'

export interface OwnersPass {
  /** The identifier of the lists that it writes. */
  id: SnapshotId
  /** The key of the next page; absent before the first one. */
  pageKey?: string | undefined
  /** Whether the lists of a page are being written. A killed process can have written some of what the page then does not have. */
  isWriting?: boolean | undefined
  /** When its last page had been read, in milliseconds since 1970; absent until then. */
  readBy?: number | undefined
  /** How many NFTs its pages had, one for each owner of it. */
  count: number
  sum: string
}

/**
 * What an attempt to take a snapshot has done. It reads the owners twice: a page states no block, and can be of a lost
 * branch.
 */
export interface SnapshotAttempt {
  /** Greater by 1 with each write. */
  version: number
  /** Nobody else works at it until then, in milliseconds since 1970. */
  takenUntil: number
  standard: NftStandard
  /** The time of the block that the indexer stated before the first pass, in milliseconds since 1970. */
  statedAt: number
  first: OwnersPass
  second?: OwnersPass | undefined
  /** How often a pass has begun anew. */
  restarts?: number | undefined
  /** Present if both passes agree, so that nothing is left but to correct the lists of the second one. */
  agreed?: Agreed | undefined
}

/** How far lists are corrected that agree otherwise. */
interface Agreed {
  /** The settled block as of which they are corrected. */
  block: HashedBlock
  /** How many of the pairs are corrected that events have touched up to this block. */
  corrected: number
}

/** How long the items of lists are kept at most, in milliseconds: the month of a snapshot and three days. */
const retentionMilliseconds = 33 * 86_400_000

/** A new identifier of lists that begin at a moment, in milliseconds since 1970. */
export const newSnapshotId = (begunAt: number): SnapshotId =>
  `${begunAt.toString(36).padStart(9, '0')}${crypto.randomUUID().slice(0, 8)}`

/**
 * When the items of a snapshot expire, in seconds since 1970. `now`: for an identifier that does not say when it began.
 */
export function listsExpireAt(id: SnapshotId, now: number): number {
  const begunAt = /^[\da-z]{9}[\da-f]{8}$/.test(id) ? Number.parseInt(id.slice(0, 9), 36) : now
  return Math.ceil((begunAt + retentionMilliseconds) / 1_000)
}

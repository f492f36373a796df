import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Branded, branded } from '../branded.ts'
import type { Deadline } from '../time-budget.ts'

/**
 * Where a reading of several sources continues: the source, the page, and its items that were returned. A cursor
 * contains it.
 */
export interface ReadingPosition {
  source: number
  pageKey?: string | undefined
  /** The marks of returned items, also of those that a later page may have by then, because items come and go. */
  returned: readonly PageMark[]
  /** The pages of the source before this page; absent for its first page. */
  progress?: ReadingProgress | undefined
  /** For each contract of the request, `1` if it is kept and not asked for; absent if none is. */
  kept?: string | undefined
  /** Whether what is kept is used because the indexer was down. */
  isStale?: boolean | undefined
  /** The time at which the page key expires; the first page does not expire. */
  expiresAt?: Deadline | undefined
}

/**
 * The pages that the indexer has returned of a source, so that pages that contradict each other or never end are
 * noticed (D39).
 */
export interface ReadingProgress extends PageProgress {
  nfts: number
  /** The number of NFTs that the first page announced. */
  announced: number
}

/** The pages of a list that the indexer has returned, without a memory of their content (D39). */
export interface PageProgress {
  pages: number
  emptyPages: number
  /** The page mark of the page key of one earlier page. */
  anchor: PageMark
}

/** The lifetime of a page key, and so of a cursor: 9 minutes, in milliseconds (D25). */
export const pageLifetimeMilliseconds = 9 * 60_000

/**
 * A text that tells an item from the others of its page, whenever that is read: {@link pageMarkLength} characters of
 * base64url.
 */
export type PageMark = Branded<'PageMark'>

/** The length of a page mark, in characters: short enough for a hundred of them in a URL. */
export const pageMarkLength = 8

/** The page mark of an item that a text identifies: the beginning of its Keccak-256 digest. */
export function pageMark(identity: string): PageMark {
  const digest = keccak_256(new TextEncoder().encode(identity))
  // Base64 writes 3 bytes as 4 characters.
  const bytes = Buffer.from(digest).subarray(0, (pageMarkLength / 4) * 3)
  return branded(bytes.toString('base64url'))
}

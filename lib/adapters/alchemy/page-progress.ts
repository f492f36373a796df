import { branded } from '../../domain/branded.ts'
import type { OwnedNft } from '../../domain/nft/owned-nft.ts'
import { maxPageKeyBytes } from '../../domain/ports/indexer.ts'
import {
  type PageProgress,
  pageMark,
  type ReadingProgress,
} from '../../domain/reading/reading-position.ts'
import { malformedResponse } from './malformed-response.ts'

/** The page key of an answer; `null` if it has none. Throws an IndexerUnavailable for one that is none, or does not fit into a cursor. */
export function pageKeyIn(value: unknown = null): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || value === '') throw malformedResponse('a page key that is none')
  if (Buffer.byteLength(JSON.stringify(value)) > maxPageKeyBytes) {
    throw malformedResponse('a page key that does not fit into a cursor')
  }
  return value
}

/** Checks that a page does not name the key that it was asked with as the next one. Throws an IndexerUnavailable. */
export function checkNextKey(pageKey: string | undefined, next: string | undefined): void {
  if (pageKey !== undefined && next === pageKey)
    throw malformedResponse('the page key that was asked with')
}

/** The most empty pages with a page key in the reading of one source. */
const maxEmptyPages = 8

/**
 * The progress of a reading after a page. Throws an IndexerUnavailable if the page keys so far form a circle,
 * or too many pages are empty (D39). It needs no memory of earlier pages but `before`.
 */
export function pageProgressAfter(
  before: PageProgress | undefined,
  { returned, pageKey }: { returned: number; pageKey: string | undefined },
): PageProgress {
  const { pages, emptyPages, anchor } = before ?? noPages
  const after = {
    pages: pages + 1,
    emptyPages: emptyPages + (returned === 0 ? 1 : 0),
    anchor,
  }
  if (pageKey === undefined) return after
  if (after.emptyPages > maxEmptyPages) throw malformedResponse('only empty pages')
  const mark = pageMark(pageKey)
  if (mark === anchor) throw malformedResponse('page keys in a circle')
  // Brent's algorithm: an anchor that moves at each power of two meets every circle.
  return Number.isInteger(Math.log2(after.pages)) ? { ...after, anchor: mark } : after
}

/** The progress before the first page. No mark is empty, so this anchor meets none. */
const noPages: PageProgress = { pages: 0, emptyPages: 0, anchor: branded('') }

interface ReturnedPage {
  /** The number of its NFTs, including those that the service leaves out. */
  returned: number
  /** The number of NFTs on all pages, at the time of this page. */
  totalCount: number
  pageKey: string | undefined
}

/**
 * The progress of a reading after a page. Throws an IndexerUnavailable if the pages so far contradict
 * themselves (D39): the page keys form a circle, the pages are empty or contain far more NFTs than the
 * first page announced, or they end with far fewer. The limits leave room for NFTs that change their
 * owner during the reading. It needs no memory of earlier pages but `before`.
 */
export function progressAfter(
  before: ReadingProgress | undefined,
  { returned, totalCount, pageKey }: ReturnedPage,
): ReadingProgress {
  const earlier = before ?? { ...noPages, nfts: 0, announced: totalCount }
  const { announced } = earlier
  const nfts = earlier.nfts + returned
  if (pageKey === undefined && nfts < 0.9 * Math.min(announced, totalCount)) {
    throw malformedResponse('fewer NFTs than announced')
  }
  if (pageKey !== undefined && nfts > 2 * announced + 100) {
    throw malformedResponse('more NFTs than announced')
  }
  return { ...pageProgressAfter(earlier, { returned, pageKey }), nfts, announced }
}

/** Adds the NFTs of a page to those seen. Throws an IndexerUnavailable if an NFT is among them already (D39). */
export function addUnseen(nfts: readonly OwnedNft[], seen: Set<string>): void {
  for (const { address, tokenId } of nfts) {
    const name = `${address}/${tokenId}`
    if (seen.has(name)) throw malformedResponse('an NFT twice')
    seen.add(name)
  }
}

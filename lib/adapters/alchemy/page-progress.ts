import {
  type PageMark,
  type PageProgress,
  pageMark,
} from '../../domain/reading/reading-position.ts'
import { malformedResponse } from './malformed-response.ts'

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
  return isPowerOfTwo(after.pages) ? { ...after, anchor: mark } : after
}

/** The progress before the first page. No mark is empty, so this anchor meets none. */
export const noPages: PageProgress = { pages: 0, emptyPages: 0, anchor: '' as PageMark }

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

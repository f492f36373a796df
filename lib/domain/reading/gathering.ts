import type { OwnedNft } from '../nft/owned-nft.ts'
import type { KeptReadings } from '../ports/kept-readings.ts'
import {
  type BegunPosition,
  type BegunReading,
  newReadingId,
  type ReadingOrigin,
  type ReadingScope,
  type StatedBlock,
} from './kept-reading.ts'

/** The pages of a reading that one request reads from the indexer, to be kept (D91). */
export interface Gathering {
  /** Takes a page. The last one of the reading makes all of it be kept, beside the request. */
  add(page: GatheredPage): void
  /**
   * Keeps the pages before the one of a page key, at which a cursor goes on. Returns what the cursor carries;
   * `undefined` if the reading is complete, or cannot be kept.
   */
  leave(pageKey: string | undefined): Promise<BegunPosition | undefined>
}

/** A page of the indexer: its page key, that of the next page, and the block that it states. */
export interface GatheredPage {
  pageKey: string | undefined
  nfts: readonly OwnedNft[]
  next: string | undefined
  block: StatedBlock | undefined
}

/** The most metadata that a request holds to keep it, in UTF-16 units. */
const maxGatheredMetadata = 32_000_000

/** Begins to gather the pages of a reading, or goes on where another request has left it. */
export function gatherPages(
  scope: ReadingScope,
  position: BegunPosition | undefined,
  keptReadings: Pick<KeptReadings, 'begun' | 'keep' | 'keepBegun' | 'count'>,
): Gathering {
  const readAt = Date.now()
  const earlier: Promise<BegunReading | undefined> =
    position?.digest === undefined
      ? Promise.resolve({ readingId: newReadingId(readAt), readAt, parts: [] })
      : keptReadings.begun(scope, position)
  // The request may end before it needs it.
  earlier.catch(() => undefined)
  const pages: GatheredPage[] = []
  let size = 0
  let isOver = false

  /** The reading with some of the pages; `undefined` if what was kept before is gone. */
  async function readingWith(some: readonly GatheredPage[]) {
    const begun = await earlier
    return begun && { ...originOf(begun, some), parts: begun.parts, pages: some.map(nftsOf) }
  }

  return {
    add(page) {
      if (isOver) return
      pages.push(page)
      size += page.nfts.reduce((sum, { metadata }) => sum + metadata.text.length, 0)
      const isTooLarge = size > maxGatheredMetadata
      isOver = isTooLarge || page.next === undefined
      if (isTooLarge) keptReadings.count('tooLarge')
      else if (isOver) keptReadings.keep(scope, readingWith([...pages]))
      if (isOver) pages.length = 0
    },
    async leave(pageKey) {
      if (isOver) return undefined
      const place = pages.findIndex((page) => page.pageKey === pageKey)
      const before = place < 0 ? pages : pages.slice(0, place)
      const [first] = pages
      // The next request reads the page of the cursor anew.
      if (before.length === 0) return first && (position ?? { id: newReadingId(readAt) })
      const reading = await readingWith(before)
      return reading && (await keptReadings.keepBegun(scope, reading))
    },
  }
}

const nftsOf = ({ nfts }: GatheredPage) => nfts

/** What a begun reading says about itself with more pages. */
function originOf(begun: BegunReading, pages: readonly GatheredPage[]): ReadingOrigin {
  const { readingId, readAt } = begun
  const isFirst = begun.parts.length === 0
  const states = pages.map(({ block }) => block)
  const blocks = isFirst ? states : [begun.block, ...states]
  const known = blocks.filter((block) => block !== undefined)
  const [first, ...others] = known
  const earliest = others.reduce((a, b) => (a && b.at < a.at ? b : a), first)
  const hashed = states.filter((block): block is Required<StatedBlock> => block?.hash !== undefined)
  const hasHashes = hashed.length === states.length && (isFirst || begun.stated !== undefined)
  const stated = new Map([...(begun.stated ?? []), ...hashed].map((block) => [block.hash, block]))
  return {
    readingId,
    readAt,
    // A refresh is noted by the time of this machine, which must not be before the block.
    block:
      earliest && known.length === blocks.length
        ? { number: earliest.number, at: Math.min(earliest.at, readAt) }
        : undefined,
    stated: hasHashes ? [...stated.values()] : undefined,
  }
}

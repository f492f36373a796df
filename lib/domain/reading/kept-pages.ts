import type { OwnedNft } from '../nft/owned-nft.ts'
import type { KeptPart, KeptReading, ReadPages } from './kept-reading.ts'

/** The pages of a kept reading, for one request, which reads and unpacks only the parts of the pages that it needs. */
export interface KeptPages {
  reading: KeptReading
  /** The number of pages. */
  count: number
  /**
   * A page, and those after it that were read with it, in order. `undefined` if the reading has no such page, or one of
   * them is in a part that is missing or damaged. Throws ServiceUnavailable if a part cannot be read.
   */
  from(index: number): Promise<ReadPages | undefined>
}

/** The most parts that are unpacked at once: a response has no room for more metadata than they have. */
const mostPartsAtOnce = 12

/** The pages of a kept reading, read together as far as a response of `limit` entries can need them. */
export function keptPages(reading: KeptReading, limit: number): KeptPages {
  const places = reading.parts.flatMap((part) =>
    part.sizes.map((size, index) => ({ part, index, size })),
  )
  const known: (readonly OwnedNft[])[] = []
  const seen = new Set<string>()

  /** The end of the pages that a response can need that begins with a page, as far as they are read together. */
  function endFrom(index: number): number {
    const parts = new Set<KeptPart>()
    let end = index
    for (let count = 0; end < places.length && (end === index || count < limit); end += 1) {
      const { part, size } = places[end] as (typeof places)[number]
      if (parts.add(part).size > mostPartsAtOnce) break
      count += size
    }
    return end
  }

  return {
    reading,
    count: places.length,
    async from(index) {
      if (!known[index]) {
        const needed = places.slice(index, endFrom(index))
        const parts = [...new Set(needed.map(({ part }) => part))]
        const read = await Promise.all(parts.map(readPart))
        const pagesOf = new Map(parts.map((part, place) => [part, read[place]]))
        const pages = needed.map((place) => pagesOf.get(place.part)?.[place.index])
        if (!pages.every((page) => page !== undefined)) return undefined
        for (const [offset, page] of pages.entries()) known[index + offset] = once(page)
      }
      return known[index] && known.slice(index)
    },
  }

  /** Pages that different requests have read can have an NFT twice, which has moved meanwhile or was moved on by another. */
  function once(nfts: readonly OwnedNft[]): readonly OwnedNft[] {
    if (reading.parts.length === 1) return nfts
    return nfts.filter(({ address, tokenId }) => {
      const name = `${address}/${tokenId}`
      const isNew = !seen.has(name)
      seen.add(name)
      return isNew
    })
  }
}

const readPart = (part: KeptPart): Promise<ReadPages | undefined> => part.read()

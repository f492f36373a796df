import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { counted } from '../../shell/counted.ts'

/** The number up to which the API counts the NFTs of a contract (D37). */
const maxCounted = 1_000

type Size = Pick<ConnectedContract, 'nftCount' | 'ranges'>

/**
 * How many NFTs the allowlist of a contract has, in words that can be inside a sentence. `known`: at least as many are on
 * it, as far as this tab has seen or sent them.
 */
export function nftsOf({ nftCount, ranges = [] }: Size, known = 0): string {
  if (ranges.includes('*')) return 'the whole collection'
  if (nftCount !== undefined) return counted(nftCount, 'NFT')
  return known > maxCounted
    ? `at least ${counted(known, 'NFT')}`
    : `more than ${counted(maxCounted, 'NFT')}`
}

/** The ranges of a contract in words, at most `shown` of them by their texts. */
export function rangesOf({ ranges = [] }: Size, shown = 3): string {
  const more = ranges.length - shown
  return ranges.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

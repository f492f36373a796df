import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { counted } from '../../shell/counted.ts'

/** The number up to which the API counts the NFTs of a contract (D37). */
const maxCounted = 1_000

type Size = Pick<ConnectedContract, 'nftCount' | 'ranges'>

/** How many identifiers the allowlist of a contract has, in words that can be inside a sentence. */
export function identifiersOf({ nftCount, ranges = [] }: Size): string {
  if (ranges.includes('*')) return 'the whole collection'
  if (nftCount === undefined) return `more than ${counted(maxCounted, 'identifier')}`
  return counted(nftCount, 'identifier')
}

/** The ranges of a contract in words, at most `shown` of them by their texts. */
export function rangesOf({ ranges = [] }: Size, shown = 3): string {
  const more = ranges.length - shown
  return ranges.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

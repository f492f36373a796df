import type { ConnectedContract, ContractOwnership } from '../../../clients/typescript/src/types.ts'
import { counted } from '../../shell/counted.ts'
import { dayText } from '../../shell/time-text.ts'

/** The number up to which the API counts the NFTs of a contract (D37). */
const maxCounted = 1_000

type Size = Pick<ConnectedContract, 'nftCount' | 'ranges'>

/** How many NFTs the allowlist of a contract has, in words that can be inside a sentence. */
export function nftsOf({ nftCount, ranges = [] }: Size): string {
  if (ranges.includes('*')) return 'the whole collection'
  return nftCount === undefined
    ? `more than ${counted(maxCounted, 'NFT')}`
    : counted(nftCount, 'NFT')
}

/** The ranges of a contract in words, at most `shown` of them by their texts. */
export function rangesOf({ ranges = [] }: Size, shown = 3): string {
  const more = ranges.length - shown
  return ranges.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Why the holders of a contract are read from the indexer, as parts of a sentence. */
const reasons = new Map<string, string>(
  Object.entries({
    chain_not_followed: 'its chain is not followed.',
    above_limit: 'the contracts before it use up the number that is kept of a game.',
    not_read: 'players’ NFTs of it are read too seldom.',
    in_preparation: 'its holders are being listed, which takes some minutes.',
    busy: 'it has too many events at the moment.',
    events_refused: 'the chain does not tell its events at the moment.',
    unknown_event: 'it has an event that is not of its standard.',
    too_many_nfts: 'it has too many NFTs.',
    owners_not_listed: 'the indexer does not list its owners.',
    doubted: 'a check has found a difference from the chain.',
    interrupted: 'its events were interrupted; its holders will be listed again.',
  }),
)

/**
 * Where the service reads who holds the NFTs of a contract, as a sentence. A reason of a later version of the service is shown as
 * it is.
 */
export function ownershipSentence({ kept, since, reason }: ContractOwnership): string {
  if (kept) return `Kept${since ? ` since ${dayText(since)}` : ''}: reads need no indexer.`
  return `Read from the indexer: ${(reason && reasons.get(reason)) ?? reason}`
}

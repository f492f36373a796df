import { keccak_256 } from '@noble/hashes/sha3.js'
import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import type { NftStandard } from '../nft/nft.ts'
import type { ChainEvent } from '../ports/chain-events.ts'

/** NFTs that one event moves: an amount of one identifier, or one of each in a range (ERC-2309), both ends included. */
export type Moved =
  | { tokenId: TokenId; amount: bigint }
  | { fromTokenId: TokenId; toTokenId: TokenId }

/** A transfer of NFTs of a kept contract, as far as it matters to who holds what. */
export interface KeptEvent {
  block: number
  /** The first digits of the hash of the block: see {@link shortHash}. */
  hash: string
  index: number
  /** `null`: the NFTs were minted. */
  from: Address | null
  /** `null`: the NFTs were burned. */
  to: Address | null
  moved: readonly Moved[]
}

/** The 48 bits of a block's hash that distinguish the few blocks of one number. */
export const shortHash = (hash: string): string => hash.slice(2, 14)

/** Identifies an event among those of its contract. */
export const eventKey = ({ hash, index }: Pick<KeptEvent, 'hash' | 'index'>): string =>
  `${hash}.${index}`

/** Orders the events of a contract as the chain does. */
export const compareEvents = (a: KeptEvent, b: KeptEvent): number =>
  a.block - b.block || a.index - b.index

/** Whether two lists in the order of the chain have the same events. */
export const sameEvents = (a: readonly KeptEvent[], b: readonly KeptEvent[]): boolean =>
  a.length === b.length &&
  a.every((event, index) => eventKey(event) === eventKey(b[index] as KeptEvent))

/** The transfers of a contract in what a poll has read, and whether every event of it was understood. */
export interface UnderstoodEvents {
  /** In the order of the chain, without those that move nothing. */
  events: readonly KeptEvent[]
  /** Whether an event says nothing that its standard defines, or is of the other standard. */
  hasUnknown: boolean
}

/** Reads the events of a contract. `standard`: that of its snapshot; without it, none is of the other standard. */
export function understoodEvents(
  events: readonly ChainEvent[],
  standard: NftStandard | undefined,
): UnderstoodEvents {
  const isUnknown = ({ details }: ChainEvent) =>
    !details.content ||
    (details.standard !== undefined && standard !== undefined && details.standard !== standard)
  return {
    events: events.flatMap(keptEvent).sort(compareEvents),
    hasUnknown: events.some(isUnknown),
  }
}

function keptEvent({ block, index, details }: ChainEvent): KeptEvent[] {
  const { content } = details
  if (content?.kind !== 'transfer') return []
  const { from, to, tokens, range } = content
  const moved: Moved[] = range
    ? [range]
    : tokens.map(({ tokenId, amount }) => ({ tokenId, amount: BigInt(amount) }))
  if (moved.length === 0) return []
  return [{ block: block.number, hash: shortHash(block.hash), index, from, to, moved }]
}

/** What has settled of a contract at once: exactly these events after one block and up to another one. */
export interface SettledDigest {
  after: number
  upTo: number
  count: number
  /** Distinguishes them from all other sets of events. */
  digest: string
}

/**
 * The digest of the events after one block and up to another: the same only for the same events on the same branch, in
 * any order.
 */
export function settledDigest(
  events: readonly KeptEvent[],
  { after, upTo }: { after: number; upTo: number },
): SettledDigest {
  const its = events.filter(({ block }) => block > after && block <= upTo).sort(compareEvents)
  return { after, upTo, count: its.length, digest: digestOf(its.map(eventKey).join(' ')) }
}

const digestOf = (text: string): string =>
  Buffer.from(keccak_256(new TextEncoder().encode(text)).subarray(0, 16)).toString('hex')

import type { Chain } from '../nft/chain.ts'
import type { Nft } from '../nft/nft.ts'
import type { IndexedNft } from '../nft/owned-nft.ts'

/** What decides whether metadata is asked for again. All times are in milliseconds since 1970. */
interface MetadataAge {
  /** When the indexer was asked for it. */
  readAt: number
  /** How often it was asked for again since the latest change of the token that was known by then. */
  retries: number
  /** That change (ERC-4906); absent if none was known. */
  changedAt?: number | undefined
}

/** Metadata of a token as the indexer has given it. */
export interface KeptMetadata extends MetadataAge, Pick<IndexedNft, 'metadataLink' | 'metadata'> {}

/** Metadata that is to be kept of a token. */
export interface KeptNft extends Nft, KeptMetadata {}

/** A note that metadata of a token that was shown is to be asked for again. All times are in milliseconds since 1970. */
export interface DueNote extends Nft {
  /** When the metadata was shown, and when it was read. */
  notedAt: number
  readAt: number
  /** Before this moment, the token is not asked for. */
  askFrom: number
  /** The retries of the metadata once it was asked for, and the change that they count from. */
  retries: number
  changedAt?: number | undefined
}

/**
 * The metadata that is kept of tokens, and the notes of those that are due. Each method that waits throws ServiceUnavailable. Unlike those
 * of holdings, reads need not be consistent unless a method says so: metadata is no part of what holds at a moment, what a read misses is
 * asked for, what it shows of a moment ago is what a container shows for a second, and a write never replaces what was read later.
 */
export interface TokenMetadata {
  /**
   * The metadata of NFTs in their order, up to the one with which the texts have `maxBytes` together: of the first one at least.
   * `undefined`: none is kept, because nobody had it, or because it is too large. A container reads that of a token at most once a second.
   */
  get(nfts: readonly Nft[], maxBytes: number): Promise<(KeptMetadata | undefined)[]>
  /** Keeps metadata, of each NFT in place of what was read earlier. */
  put(nfts: readonly KeptNft[]): Promise<void>
  /** The same beside the request. Fails for no NFT. */
  keep(nfts: readonly KeptNft[]): void
  /**
   * Notes beside the request that tokens are due. A note that there is stays, unless it is older than the metadata that was shown, or of an
   * earlier change; what takes its place does not let the token be asked for sooner. Fails for no token.
   */
  noteDue(notes: readonly DueNote[]): void
  /** The notes of a chain that may be asked for at a moment, in the order of contracts and tokens. */
  due(chain: Chain, at: number): AsyncIterable<DueNote>
  /** When the metadata of at most 100 NFTs was read, in their order; `undefined`: never, as far as it is kept. The read is consistent. */
  readTimes(nfts: readonly Nft[]): Promise<(number | undefined)[]>
  /** Lets notes wait until a moment. Returns them as they are then, without those that somebody else has changed. */
  postponeDue(notes: readonly DueNote[], askFrom: number): Promise<DueNote[]>
  /** Deletes notes that nobody else has changed. */
  settleDue(notes: readonly DueNote[]): Promise<void>
}

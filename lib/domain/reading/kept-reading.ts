import { type Branded, branded } from '../branded.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import type { ProductId } from '../product/product.ts'

/** A block of a chain. */
export interface Block {
  number: number
  /** Its time, in milliseconds since 1970, never in the future. */
  at: number
}

/** A block that an answer of the indexer is of. */
export interface StatedBlock extends Block {
  /** Its hash; absent if the answer has none. */
  hash?: string
}

/** The id of a kept reading, which cursors carry. Later readings have greater ids. */
export type ReadingId = Branded<'ReadingId'>

/** A new id for a reading that began at a moment, in milliseconds since 1970. */
export const newReadingId = (readAt: number): ReadingId =>
  // Nine digits are enough until the year 5188.
  branded(`${readAt.toString(36).padStart(9, '0')}${crypto.randomUUID().slice(0, 8)}`)

/** The form of the ids of readings. */
export const readingIdForm = /^[0-9a-z]{9}[0-9a-f]{8}$/

/** What a reading covers: a wallet and a run of at most 45 contracts on one chain, for one product. */
export interface ReadingScope {
  productId: ProductId
  chain: Chain
  owner: Address
  contracts: readonly Address[]
}

/** What a kept reading says about its age. */
export interface ReadingAge {
  /** When the first page was asked for, in milliseconds since 1970. */
  readAt: number
  /** The earliest block that the pages state; absent if a page states none. */
  block?: Block | undefined
}

/** What a kept reading says about itself. */
export interface ReadingOrigin extends ReadingAge {
  readingId: ReadingId
  /** The blocks that the pages state, each one once; absent if a page states none with its hash (D87). */
  stated?: readonly Required<StatedBlock>[] | undefined
}

/** The NFTs of each page, in the indexer's order, before the allowlist selects from them. */
export type ReadPages = readonly (readonly OwnedNft[])[]

/** All pages of the indexer about one scope, as they are kept: in one part, or in several (D91). */
export interface KeptReading extends ReadingOrigin {
  parts: readonly KeptPart[]
}

/** Pages of a kept reading that are kept together. */
export interface KeptPart {
  /** The number of NFTs of each page. */
  sizes: readonly number[]
  /**
   * Reads the pages; `undefined` if the part is missing, damaged or of another reading. Throws ServiceUnavailable if it
   * cannot be read.
   */
  read(): Promise<ReadPages | undefined>
}

/** The name of a part, which its content determines, and the number of NFTs of each of its pages. */
export interface PartName {
  digest: string
  sizes: readonly number[]
}

/** A reading that is not at its end: the parts that requests have kept of it. */
export interface BegunReading extends ReadingOrigin {
  parts: readonly PartName[]
}

/** A begun reading with the pages that follow its parts and are not kept yet. */
export interface GatheredReading extends BegunReading {
  pages: ReadPages
}

/** What finds a begun reading. */
export interface BegunName {
  id: ReadingId
  digest: string
}

/** A begun reading in a cursor. It has no digest if it begins anew with the page of the cursor. */
export type BegunPosition = BegunName | { id: ReadingId; digest?: undefined }

import type { Address } from './address.ts'
import type { Nft } from './allowlist.ts'

/** Why an NFT's metadata cannot be given (D26). */
export type MetadataFault = 'not_available' | 'not_an_object' | 'too_large'

/** The largest metadata document that is handed on, in bytes of UTF-8 (D26). */
export const maxMetadataBytes = 1_048_576

/**
 * A metadata document as JSON text: the indexer's own text, byte for byte, of one JSON object; `{}`
 * with the fault where there is none to give (D26).
 */
export interface Metadata {
  text: string
  fault?: MetadataFault
}

/** An NFT as the indexer describes it. */
export interface IndexedNft extends Nft {
  /** Where the metadata document lies; `''` if nobody knows (D27). */
  metadataLink: string
  metadata: Metadata
}

/** An NFT in a wallet (D24). */
export interface OwnedNft extends IndexedNft {
  /** The wallet. */
  owner: Address
  /** How many of it the wallet holds: decimal text, `"1"` for ERC-721. */
  balance: string
}

import type { TokenId } from '../allowlist/token-id.ts'
import type { Address } from './address.ts'
import type { ContractKey, Nft } from './nft.ts'

/** The reason why an NFT's metadata is missing (D26). */
export type MetadataFault = 'not_available' | 'not_an_object' | 'too_large'

/** The maximum size of a metadata document, in bytes of UTF-8 (D26). */
export const maxMetadataBytes = 1_048_576

/** A metadata document: the indexer's own text of one JSON object, byte for byte; else `{}` with the fault (D26). */
export interface Metadata {
  text: string
  fault?: MetadataFault
}

/** An NFT as the indexer describes it. */
export interface IndexedNft extends Nft {
  /** The URL of the metadata document; `''` if it is unknown (D27). */
  metadataLink: string
  metadata: Metadata
}

/** An NFT in a response that describes NFTs by their token identifiers. */
export interface DescribedNft extends IndexedNft {
  /** When the indexer fetched the metadata, in milliseconds since 1970; absent if it does not say so. */
  fetchedAt?: number
  /** The response lacks the NFT: its metadata is not known. */
  isMissing?: true
}

/** An NFT of which the indexer knows nothing. */
export const unknownNft = ({ chain, address }: ContractKey, tokenId: TokenId): DescribedNft => ({
  chain,
  address,
  tokenId,
  metadataLink: '',
  metadata: { text: '{}', fault: 'not_available' },
  isMissing: true,
})

/** An NFT in a wallet (D24). */
export interface OwnedNft extends IndexedNft {
  owner: Address
  /** The amount in the wallet: decimal text, `"1"` for ERC-721. */
  balance: string
}

/** The reason why a response shows no metadata of an NFT: also that nobody had it while the indexer was down (D155). */
type ShownFault = MetadataFault | 'indexer_unavailable'

export interface ShownMetadata extends Pick<IndexedNft, 'metadataLink'> {
  metadata: Pick<Metadata, 'text'> & { fault?: ShownFault }
}

/** An NFT in a wallet as a response shows it. */
export interface ShownNft extends Omit<OwnedNft, keyof ShownMetadata>, ShownMetadata {}

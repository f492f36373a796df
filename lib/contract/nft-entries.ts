import type { IndexedNft, ShownNft } from '../domain/nft/owned-nft.ts'
import {
  type Gateways,
  structuredMetadata,
  withTokenId,
} from '../domain/nft/structured-metadata.ts'
import type { Rendering } from '../domain/player/player-nfts.ts'
import { VerbatimJson, writeJson } from '../json/verbatim-json.ts'

/** An entry of a response as JSON text, with its size in bytes of {@link responseBytes}. */
type EntryRendering = Rendering<VerbatimJson>

/** An NFT with raw metadata (specification 2.3; D24, D26); `owner` and `balance` where there is one. */
export const renderRaw = (nft: IndexedNft | ShownNft): EntryRendering =>
  render({ ...described(nft), rawMetadata: new VerbatimJson(nft.metadata.text) })

/** The same, with the document as one string (D130). */
export const renderRawText = (nft: ShownNft): EntryRendering =>
  // The text of a document is well-formed, so that it needs no search for halves of surrogate pairs.
  render({
    ...described(nft),
    rawMetadataText: new VerbatimJson(JSON.stringify(nft.metadata.text)),
  })

/** An NFT with structured metadata (specification 2.4; D24, D134, D60); `owner` and `balance` where there is one. */
export const renderStructured = (nft: IndexedNft | ShownNft, gateways: Gateways): EntryRendering =>
  render({
    ...described(nft),
    ...structuredMetadata(nft.metadata.text, nft.tokenId, gateways),
  })

const described = (nft: IndexedNft | ShownNft) => ({
  tokenId: nft.tokenId,
  address: nft.address,
  chain: nft.chain,
  ...('owner' in nft && { owner: nft.owner, balance: nft.balance }),
  metadataLink: withTokenId(nft.metadataLink, nft.tokenId),
  metadataError: nft.metadata.fault,
})

function render(entry: Record<string, unknown>): EntryRendering {
  const text = writeJson(entry)
  return { entry: new VerbatimJson(text), size: responseBytes(text) }
}

/** The maximum size of the NFTs in one response, in bytes of {@link responseBytes} (D25, D31). */
export const maxResponseBytes = 5_000_000

/** The size of JSON text in a Lambda response: a JSON string, in which quotes and backslashes count twice. */
export const responseBytes = (json: string): number => Buffer.byteLength(JSON.stringify(json))

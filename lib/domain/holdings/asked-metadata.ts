import type { OwnedNft } from '../nft/owned-nft.ts'
import type { KeptNft } from '../ports/token-metadata.ts'
import type { KeepingPorts } from './keeping-ports.ts'
import { changesOf, contractName, isPrepared, type KnownContract } from './known-contracts.ts'

/** The most text that a request keeps, in UTF-16 units, because it holds it until it is written. A later request keeps the rest. */
const maxKeptText = 2_000_000

/** Keeps metadata of the NFTs of a page of the indexer. `askedAt`: when it was asked for the page, in milliseconds since 1970. */
export type KeepAskedMetadata = (nfts: readonly OwnedNft[], askedAt: number) => Promise<void>

/**
 * Returns what keeps the metadata of allowlisted NFTs of contracts that are about to be kept, beside the request, so that no read has to
 * ask for it (D155).
 */
export function askedMetadata(
  known: Promise<readonly KnownContract[]>,
  { keepAsked }: Pick<KeepingPorts, 'keepAsked'>,
): KeepAskedMetadata {
  let left = maxKeptText
  return async (nfts, askedAt) => {
    const contracts = await known
    const prepared = new Set(
      contracts.filter(isPrepared).map(({ contract }) => contractName(contract)),
    )
    const changedAt = changesOf(contracts)
    const kept = nfts.filter((nft) => prepared.has(contractName(nft)))
    if (kept.length === 0) return
    keepAsked(
      kept.map(({ chain, address, tokenId, metadataLink, metadata }) => ({
        ...{ chain, address, tokenId, metadataLink, metadata },
        ...{ readAt: askedAt, retries: 0, changedAt: changedAt({ chain, address, tokenId }) },
      })),
      fits,
    )
  }

  function fits({ metadata: { text } }: KeptNft): boolean {
    if (text.length > left) return false
    left -= text.length
    return true
  }
}

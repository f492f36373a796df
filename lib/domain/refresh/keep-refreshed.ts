import { ServiceUnavailable } from '../failures.ts'
import { isLetGo, latestChange } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import { type ContractKey, contractKeyOf } from '../nft/nft.ts'
import type { DescribedNft, IndexedNft } from '../nft/owned-nft.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import type { TokenMetadata } from '../ports/token-metadata.ts'

/** Where a refresh writes what it has read. */
export interface RefreshedMetadataPorts {
  keptChains: readonly Chain[]
  keptContracts: Pick<KeptContracts, 'contract'>
  tokenMetadata: Pick<TokenMetadata, 'put'>
}

/** Whether the metadata of an NFT could not be fetched from its source. */
export const isUnavailable = ({ metadata }: IndexedNft): boolean =>
  metadata.fault === 'not_available'

/**
 * Writes what a refresh has read of NFTs of a contract at a moment, in milliseconds since 1970, so that a read a second later shows it, if the
 * contract is kept. What could not be fetched leaves what was read before. Fails for no refresh: what is not written is shown once it is
 * asked for again.
 */
export async function keepRefreshed(
  contract: ContractKey,
  described: readonly DescribedNft[],
  readAt: number,
  { keptChains, keptContracts, tokenMetadata }: RefreshedMetadataPorts,
): Promise<void> {
  if (!keptChains.includes(contract.chain)) return
  const fetched = described.filter((nft) => !isUnavailable(nft))
  if (fetched.length === 0) return
  try {
    const kept = await keptContracts.contract(contractKeyOf(contract))
    if (!kept || isLetGo(kept)) return
    await tokenMetadata.put(
      fetched.map(({ tokenId, metadataLink, metadata }) => ({
        ...{ ...contractKeyOf(contract), tokenId, metadataLink, metadata },
        ...{ readAt, retries: 0, changedAt: latestChange(kept, tokenId) },
      })),
    )
  } catch (error) {
    if (!(error instanceof ServiceUnavailable)) throw error
  }
}

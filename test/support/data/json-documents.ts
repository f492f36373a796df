import { give } from '@player-nfts/local/indexer/holdings'
import { addCollection, type SourceAnswer, type World } from '@player-nfts/local/indexer/world'
import { numbers } from '@player-nfts/local/samples'
import type { ToAllowlist } from '../requests/reading.ts'
import { newAddress } from '../services/service.ts'

/** Puts NFTs 1, 2, … of one contract with these documents into a wallet, one for each document. */
export function putDocuments(
  world: World,
  wallet: string,
  documents: readonly SourceAnswer[],
  tokenUri: (tokenId: string) => string = () => '',
): ToAllowlist {
  const contract = { network: 'polygon-mainnet', address: newAddress() } as const
  addCollection(world, {
    ...contract,
    tokenType: 'ERC721',
    name: 'Documents',
    totalSupply: documents.length,
    tokenUri,
    metadata: (tokenId) => documents[Number(tokenId) - 1],
  })
  const tokenIds = numbers(1, documents.length)
  for (const tokenId of tokenIds) give(world, { ...contract, tokenId }, wallet)
  return { chain: 'POLYGON', address: contract.address, tokenIds }
}

import { type Chain, isRetired } from '../../domain/chain.ts'

/** Alchemy's names of the chains. */
const networks: Readonly<Record<Chain, string>> = {
  AMOY: 'polygon-amoy',
  BSC: 'bnb-mainnet',
  BSC_TESTNET: 'bnb-testnet',
  MUMBAI: 'polygon-mumbai',
  POLYGON: 'polygon-mainnet',
}

/** Where the two APIs of a chain are, key included. */
export interface IndexerUrls {
  nft: string
  jsonRpc: string
}

/**
 * The URLs of a chain's APIs: Alchemy's own, or those under `baseUrl`. A retired chain is never asked
 * (D11): that is a RangeError.
 */
export function indexerUrls(
  chain: Chain,
  apiKey: string,
  baseUrl: string | undefined,
): IndexerUrls {
  if (isRetired(chain)) throw new RangeError(`${chain} is retired: the indexer is not asked`)
  const network = networks[chain]
  const root = baseUrl ? `${baseUrl}/${network}` : `https://${network}.g.alchemy.com`
  const key = encodeURIComponent(apiKey)
  return { nft: `${root}/nft/v3/${key}`, jsonRpc: `${root}/v2/${key}` }
}

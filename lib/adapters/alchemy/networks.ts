import { type Chain, isRetired } from '../../domain/chain.ts'

/** The names of the chains at Alchemy. */
const networks: Readonly<Record<Chain, string>> = {
  AMOY: 'polygon-amoy',
  BSC: 'bnb-mainnet',
  BSC_TESTNET: 'bnb-testnet',
  MUMBAI: 'polygon-mumbai',
  POLYGON: 'polygon-mainnet',
}

/** The URLs of the two APIs of a chain, including the key. */
export interface IndexerUrls {
  nft: string
  jsonRpc: string
}

/** The URLs of a chain's APIs, at Alchemy or under `baseUrl`. Throws a RangeError for a retired chain (D11). */
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

import { type Chain, chains, isCovered } from '../../domain/nft/chain.ts'

/** The URLs of the two APIs of a chain, including the key. */
export interface IndexerUrls {
  nft: string
  jsonRpc: string
}

/**
 * The URLs of a chain's APIs, at Alchemy or under `baseUrl`. Throws a RangeError for a chain that the
 * indexer does not cover (D56).
 */
export function indexerUrls(
  chain: Chain,
  apiKey: string,
  baseUrl: string | undefined,
): IndexerUrls {
  if (!isCovered(chain)) throw new RangeError(`${chain} is not covered: the indexer is not asked`)
  const { network } = chains[chain]
  const root = baseUrl ? `${baseUrl}/${network}` : `https://${network}.g.alchemy.com`
  const key = encodeURIComponent(apiKey)
  return { nft: `${root}/nft/v3/${key}`, jsonRpc: `${root}/v2/${key}` }
}

import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { NotedReads } from '../ports/contract-use.ts'
import type { KeptHoldings } from '../ports/kept-holdings.ts'
import type { KeptNft } from '../ports/token-metadata.ts'
import type { ShownTexts } from './kept-part.ts'

/** What reads need in a deployment that keeps holdings. */
export interface KeepingPorts {
  /** The chains on which contracts are kept, and how many of a product on them. */
  keptChains: readonly Chain[]
  keptContracts: number
  keptHoldings: KeptHoldings
  notedReads: NotedReads
  texts: ShownTexts
  /**
   * Keeps metadata beside the request, that of a token at most once an hour, as far as the request `takes` what was not kept in this hour.
   * Fails for no NFT.
   */
  keepAsked(nfts: readonly KeptNft[], takes: (nft: KeptNft) => boolean): void
}

/** The contracts of a product whose holders may be kept (D153): the first ones of its list on the chains on which contracts are kept. */
export const eligibleContracts = <Contract extends ContractKey>(
  listed: readonly Contract[],
  { keptChains, keptContracts }: Pick<KeepingPorts, 'keptChains' | 'keptContracts'>,
): Contract[] => listed.filter(({ chain }) => keptChains.includes(chain)).slice(0, keptContracts)

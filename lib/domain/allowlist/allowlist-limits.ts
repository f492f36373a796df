import { TooManyRanges } from '../failures.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { TokenRanges } from './token-ranges.ts'

/** The maximum number of token identifiers in one allowlisting request (D16). */
export const maxTokenIdsPerAllowlisting = 10_000

/** The maximum number of contracts connected to a product (D16). */
export const maxContractsPerProduct = 500

/** The maximum number of contracts in one response (D37). */
export const maxContractsPerPage = 100

/** The number up to which the NFTs of a contract are counted for one response (D37). */
export const maxCountedNfts = 1_000

/** The maximum number of token identifiers in one unbinding request with a query (D20). */
export const maxTokenIdsPerUnbinding = 1_000

/** The maximum number of token identifiers in one unbinding request with a body (D50). */
export const maxTokenIdsPerUnbindingList = 10_000

/** The maximum number of entries in one response of the allowlist (D18). */
export const maxAllowedNftsPerPage = 10_000

/** The maximum number of NFTs in one response with their metadata (D60). */
export const maxNftsPerPage = 100

/** The maximum numbers of ranges, and of the single token identifiers that unbinding them removes (D57). */
export interface RangeLimits {
  rangesPerContract: number
  rangesPerProduct: number
  tokenIdsInUnboundRanges: number
}

export const rangeLimits: RangeLimits = {
  rangesPerContract: 100,
  rangesPerProduct: 2_000,
  tokenIdsInUnboundRanges: 10_000,
}

/** The maximum number of attempts while other requests change the ranges of the same contract. */
export const maxRangeAttempts = 16

/**
 * Throws TooManyRanges if a contract has more ranges than before, and more than it or its product may have
 * (D57). `before`: the contract before the change; `all`: all contracts of the product. Requests at the same
 * time can exceed the maximum of the product by their ranges.
 */
export function expectFewRanges(
  ranges: TokenRanges,
  before: ContractWithRanges | undefined,
  all: readonly ContractWithRanges[],
  { rangesPerContract, rangesPerProduct }: RangeLimits = rangeLimits,
): void {
  const more = ranges.length - (before?.ranges.length ?? 0)
  if (more <= 0) return
  if (ranges.length > rangesPerContract) throw new TooManyRanges('contract', rangesPerContract)
  const total = all.reduce((sum, contract) => sum + contract.ranges.length, 0)
  if (total + more > rangesPerProduct) throw new TooManyRanges('product', rangesPerProduct)
}

import { TooManyRanges } from '../failures.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import {
  maxRangesPerContract,
  maxRangesPerProduct,
  maxTokenIdsInUnboundRanges,
} from './allowlist-limits.ts'
import type { TokenRanges } from './token-ranges.ts'

/** The maximum numbers of ranges, and of the single token identifiers that unbinding them removes (D57). */
export interface RangeLimits {
  rangesPerContract: number
  rangesPerProduct: number
  tokenIdsInUnboundRanges: number
}

/** The limits of every product. */
export const rangeLimits: RangeLimits = {
  rangesPerContract: maxRangesPerContract,
  rangesPerProduct: maxRangesPerProduct,
  tokenIdsInUnboundRanges: maxTokenIdsInUnboundRanges,
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

import type { ContractKey } from '../nft/nft.ts'

/** What background work for kept contracts may call of the indexer (D153). */
export interface CallBudget {
  /**
   * Does work for a contract, and counts its calls for the product that has read the contract last. `'later'`, with nothing done: more than
   * half of one of the limits of this product is spent. Throws what the work throws, whose calls are counted, too.
   */
  spend<Result>(contract: ContractKey, work: () => Promise<Result>): Promise<Result | 'later'>
}

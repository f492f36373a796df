import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'

/** A read of a contract on a chain on which contracts are kept. */
export interface ContractRead {
  contract: ContractKey
  /** A product that reads it, and a wallet that the read is about. */
  productId: ProductId
  wallet: Address
  /** Whether nothing is kept of the contract, and nothing prepared. */
  isUnknown: boolean
}

export interface NotedReads {
  /**
   * Counts reads in memory, and writes the counts beside the request, at most once a minute for each contract, and once in ten minutes for
   * one that is known. A contract that is unknown and has enough reads in a day is then wanted. Fails for no read.
   */
  note(reads: readonly ContractRead[]): void
}

/** How a contract was read in the last seven days. */
export interface ContractUse {
  /** The latest read that was written, in milliseconds since 1970. */
  readAt: number
  reads: number
  productId: ProductId
  /** Some of the wallets that were read about, those of the latest days first. */
  wallets: readonly Address[]
}

/** What all workers know of the choice of the contracts that are kept. All times are in milliseconds since 1970. */
export interface ContractChoice {
  /** From when on it is looked again which contracts are not read any more. */
  lookFrom: number
  isFull: boolean
  /** From when on a contract can take the place of another one. */
  swapFrom: number
}

/** What the worker learns of the reads of contracts. Reads are consistent. Every method throws ServiceUnavailable. */
export interface ContractUses {
  /** The contracts of a chain that have enough reads to be kept, and were unknown to their readers. */
  wanted(chain: Chain): Promise<Address[]>
  settleWanted(contract: ContractKey): Promise<void>
  /** How a contract was read; `undefined`: in the last seven days, no read was written. */
  of(contract: ContractKey): Promise<ContractUse | undefined>
  /** What is known of the choice. Before the first one, its times are 0. */
  choice(): Promise<ContractChoice>
  /** Notes what is known now in place of what was read. `false`: that is not there any more. */
  noteChoice(choice: ContractChoice, before: ContractChoice): Promise<boolean>
}

/** What background work for kept contracts may call of the indexer (D153). */
export interface CallBudget {
  /**
   * Does work for a contract, and counts its calls for the product that has read the contract last. `'later'`, with nothing done: more than
   * half of one of the limits of this product is spent. Throws what the work throws, whose calls are counted, too.
   */
  spend<Result>(contract: ContractKey, work: () => Promise<Result>): Promise<Result | 'later'>
}

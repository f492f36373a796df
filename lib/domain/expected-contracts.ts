import { maxContractsPerCall } from './indexer-limits.ts'
import type { ContractKey } from './nft.ts'
import type { ProductId } from './product.ts'

/** The contracts of products as they were listed last, which they probably still are. */
export interface ExpectedContracts {
  /** The contracts of a product; none if it is not known. */
  of(productId: ProductId): readonly ContractKey[]
  /** Notes the contracts that were listed. */
  note(productId: ProductId, contracts: readonly ContractKey[]): void
}

/** The most products that are remembered. */
const memorySize = 1_000

/** The most contracts of a product that is remembered: those of one indexer call, as most products have fewer. */
const maxContracts = maxContractsPerCall

/** The expected contracts in the memory of the container. */
export function expectedContracts(): ExpectedContracts {
  const memory = new Map<ProductId, readonly ContractKey[]>()
  return {
    of: (productId) => memory.get(productId) ?? [],
    note(productId, contracts) {
      memory.delete(productId)
      if (contracts.length > maxContracts) return
      memory.set(
        productId,
        contracts.map(({ chain, address }) => ({ chain, address })),
      )
      const [oldest] = memory.keys()
      if (memory.size > memorySize && oldest !== undefined) memory.delete(oldest)
    },
  }
}

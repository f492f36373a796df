import { ContractNotConnected } from '../failures.ts'
import type { ContractKey, ContractWithRanges } from '../nft/nft.ts'
import type { Contracts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'

/** Returns the connection of a contract to a product. Throws ContractNotConnected. */
export async function connectedContract(
  productId: ProductId,
  key: ContractKey,
  contracts: Contracts,
): Promise<ContractWithRanges> {
  const contract = await contracts.get(productId, key)
  if (!contract) throw new ContractNotConnected(key)
  return contract
}

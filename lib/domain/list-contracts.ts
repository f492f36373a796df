import { maxContractsPerPage, maxCountedNfts } from './allowlist-limits.ts'
import type { ConnectedContract, ContractKey } from './nft.ts'
import type { AllowedTokenIds, Contracts } from './ports/allowlist.ts'
import type { ProductId } from './product.ts'

/** A connected contract as its product sees it. */
export interface ContractSummary extends Omit<ConnectedContract, 'bindingId'> {
  /** The number of allowlisted NFTs; absent if it is more than 1,000. */
  nftCount?: number
}

/**
 * Returns up to `limit` contracts of a product after `after`, in the order of D18, and whether further
 * contracts follow (D37). `after` need not be connected.
 */
export async function listContracts(
  productId: ProductId,
  range: { after?: ContractKey | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<{ contracts: ContractSummary[]; more: boolean }> {
  const { after, limit = maxContractsPerPage } = range
  // One more than the limit shows whether further contracts follow.
  const found = await contracts.describe(productId, { after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const bindingIds = page.map(({ bindingId }) => bindingId)
  const counts = await allowedTokenIds.countEach(bindingIds, maxCountedNfts + 1)
  const summaries = page.map(({ bindingId: _, ...contract }, index) => {
    const nftCount = counts[index] as number
    return { ...contract, ...(nftCount <= maxCountedNfts && { nftCount }) }
  })
  return { contracts: summaries, more: found.length > limit }
}

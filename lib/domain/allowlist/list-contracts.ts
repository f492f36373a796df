import { type Ownership, type OwnershipPorts, ownershipOfEach } from '../holdings/ownership.ts'
import { type ContractKey, compareContracts, type ListedContract } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'
import { counterpart } from '../some-at-once.ts'
import { maxContractsPerPage, maxCountedNfts } from './allowlist-limits.ts'
import { type TokenElementText, tokenElementText } from './token-element.ts'
import { rangeWith, sizeOf } from './token-ranges.ts'

interface ContractSummary extends ContractKey {
  description: string
  /** When the contract was connected, RFC 3339 in UTC. */
  connectedAt: string
  /** The number of allowlisted NFTs; absent if it is more than 1,000. */
  nftCount?: number
  /** The ranges of the allowlist, in the order of numbers; absent without ranges (D58). */
  ranges?: TokenElementText[]
  /** Whether its holders are kept; absent where nothing is kept (D157). */
  ownership?: Ownership
}

interface ListPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  ownership?: OwnershipPorts | undefined
}

/**
 * Up to `limit` contracts after `after`, in the order of D18, and whether others follow (D37). `after` need not be
 * connected.
 */
export async function listContracts(
  productId: ProductId,
  range: { after?: ContractKey | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds, ownership }: ListPorts,
): Promise<{ contracts: ContractSummary[]; more: boolean }> {
  const { after, limit = maxContractsPerPage } = range
  const [found, before] = await Promise.all([
    // One more than the limit shows whether further contracts follow.
    contracts.page(productId, { after, limit: limit + 1 }),
    after && ownership ? listUpTo(productId, after, contracts) : [],
  ])
  const page = found.slice(0, limit)
  const [counts, descriptions, ownerships] = await Promise.all([
    countNfts(page, allowedTokenIds),
    contracts.descriptions(page),
    ownership && ownershipOfEach(page, before, ownership),
  ])
  const summaries = page.map(({ chain, address, connectedAt, ranges }, index) => {
    const nftCount = counterpart(counts, index)
    return {
      chain,
      address,
      description: counterpart(descriptions, index),
      connectedAt,
      ...(nftCount <= maxCountedNfts && { nftCount }),
      ...(ranges.length > 0 && { ranges: ranges.map(tokenElementText) }),
      ...(ownerships && { ownership: counterpart(ownerships, index) }),
    }
  })
  return { contracts: summaries, more: found.length > limit }
}

/** The contracts of a product up to one of them, which need not be connected. */
async function listUpTo(
  productId: ProductId,
  last: ContractKey,
  contracts: Contracts,
): Promise<ContractKey[]> {
  const all = await contracts.list(productId)
  return all.filter((contract) => compareContracts(contract, last) <= 0)
}

/** The number of NFTs on the allowlist of each contract; a number above the maximum can be too low. */
async function countNfts(
  contracts: readonly ListedContract[],
  allowedTokenIds: AllowedTokenIds,
): Promise<number[]> {
  const atMost = maxCountedNfts + 1
  const singles = contracts.filter(({ ranges }) => ranges.length === 0)
  const counts = await allowedTokenIds.countEach(
    singles.map(({ bindingId }) => bindingId),
    atMost,
  )
  const countOf = new Map(singles.map((contract, index) => [contract, counterpart(counts, index)]))
  return await Promise.all(
    contracts.map(
      (contract) => countOf.get(contract) ?? countWithRanges(contract, atMost, allowedTokenIds),
    ),
  )
}

async function countWithRanges(
  { bindingId, ranges }: ListedContract,
  atMost: number,
  allowedTokenIds: AllowedTokenIds,
): Promise<number> {
  const inRanges = sizeOf(ranges)
  if (inRanges >= atMost) return atMost
  // Single identifiers that are also in a range are counted once, and there are no more of them than the ranges have.
  const limit = atMost + Number(inRanges)
  const tokenIds = await allowedTokenIds.list(bindingId, { limit })
  const outside = tokenIds.filter((tokenId) => !rangeWith(ranges, BigInt(tokenId)))
  return outside.length + Number(inRanges)
}

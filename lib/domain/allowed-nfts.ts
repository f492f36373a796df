import {
  type Contract,
  type ContractKey,
  compareContracts,
  maxAllowedNftsPerPage,
  type Nft,
} from './allowlist.ts'
import type { AllowedTokenIds, Contracts } from './ports.ts'
import type { ProductId } from './product.ts'
import type { TokenId } from './token-id.ts'

/** How many contracts are read at the same time. */
const contractsAtOnce = 8

/**
 * A product's allowlist in its order: up to `limit` NFTs after `after`, and whether there are more
 * (4.4, D18). `after` need not be on the list any more.
 */
export async function listAllowedNfts(
  productId: ProductId,
  range: { after?: Nft | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<{ nfts: Nft[]; more: boolean }> {
  const { after, limit = maxAllowedNftsPerPage } = range
  const all = await contracts.list(productId)
  const rest = after ? all.filter((contract) => compareContracts(contract, after) >= 0) : all
  const nfts: Nft[] = []
  // One more than asked for tells whether there are more.
  for (let start = 0; start < rest.length && nfts.length <= limit; start += contractsAtOnce) {
    const wanted = limit + 1 - nfts.length
    const lists = await Promise.all(
      rest.slice(start, start + contractsAtOnce).map((contract) => list(contract, wanted)),
    )
    nfts.push(...lists.flat().slice(0, wanted))
  }
  return { nfts: nfts.slice(0, limit), more: nfts.length > limit }

  async function list(contract: Contract, wanted: number): Promise<Nft[]> {
    const afterHere = after && compareContracts(contract, after) === 0 ? after.tokenId : undefined
    const tokenIds = await allowedTokenIds.list(contract.bindingId, {
      limit: wanted,
      ...(afterHere && { after: afterHere }),
    })
    return tokenIds.map((tokenId) => nftOf(contract, tokenId))
  }
}

const nftOf = ({ chain, address }: ContractKey, tokenId: TokenId): Nft => ({
  tokenId,
  address,
  chain,
})

import { maxAllowedNftsPerPage } from './allowlist-limits.ts'
import { type ContractKey, compareContracts, type Nft } from './nft.ts'
import { readPages, sourcesAtOnce } from './ordered-pages.ts'
import type { AllowedTokenIds, Contracts } from './ports/allowlist.ts'
import type { ProductId } from './product.ts'
import type { PageMark } from './reading-position.ts'
import type { TokenId } from './token-id.ts'

/** The minimum number of entries that are read of a contract at a time: enough for most responses. */
const minPageSize = 1_000

const endless = Number.POSITIVE_INFINITY

/**
 * Returns up to `limit` NFTs of a product's allowlist after `after`, in the order of D18, and whether
 * further NFTs follow (4.4). `after` need not be on the list.
 */
export async function listAllowedNfts(
  productId: ProductId,
  range: { after?: Nft | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<{ nfts: Nft[]; more: boolean }> {
  const { after, limit = maxAllowedNftsPerPage } = range
  const all = await contracts.list(productId)
  const rest = after ? all.filter((contract) => compareContracts(contract, after) >= 0) : all
  // One more than the limit shows whether further NFTs follow.
  const wanted = limit + 1
  // Contracts that are read at the same time share the wanted entries: fewer contracts, larger pages.
  const share = Math.ceil(wanted / Math.min(rest.length, sourcesAtOnce))
  const size = Math.min(wanted, Math.max(share, minPageSize))
  const { found } = await readPages(
    rest,
    undefined,
    { limit: wanted, maxSize: endless, maxPages: endless, until: endless },
    async (contract, { pageKey }) => {
      const isCut = after !== undefined && compareContracts(contract, after) === 0
      const start = pageKey === undefined ? isCut && after.tokenId : (pageKey as TokenId)
      const tokenIds = await allowedTokenIds.list(contract.bindingId, {
        limit: size,
        ...(start && { after: start }),
      })
      return {
        found: tokenIds.map((tokenId) => entryOf(contract, tokenId)),
        next: tokenIds.length === size ? tokenIds.at(-1) : undefined,
      }
    },
  )
  return { nfts: found.slice(0, limit).map(({ nft }) => nft), more: found.length > limit }
}

/** A cursor of the list names an NFT, so no page is read a second time. */
const noMark = '' as PageMark

const entryOf = (contract: ContractKey, tokenId: TokenId) => ({
  nft: nftOf(contract, tokenId),
  size: 0,
  mark: () => noMark,
})

const nftOf = ({ chain, address }: ContractKey, tokenId: TokenId): Nft => ({
  tokenId,
  address,
  chain,
})

import { contractKeyOf, type Nft } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'
import { listElements } from './allowlist-elements.ts'
import { maxAllowedNftsPerPage } from './allowlist-limits.ts'
import { type AllowlistEntry, entryOf, firstTokenId } from './token-element.ts'

/** A part of the allowlist of a product. */
export interface AllowlistPage {
  entries: AllowlistEntry[]
  /** The position after the last entry, if further entries follow: its NFT, or the first NFT of its range. */
  next?: Nft
}

/**
 * Returns up to `limit` entries of a product's allowlist after `after`, in the order of D18; a range has the
 * place of its first identifier (4.4, D58). `after` need not be on the list.
 */
export async function listAllowedNfts(
  productId: ProductId,
  range: { after?: Nft | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<AllowlistPage> {
  const { after, limit = maxAllowedNftsPerPage } = range
  const all = await contracts.list(productId)
  const { elements, more } = await listElements(all, { after, limit }, allowedTokenIds)
  const last = elements.at(-1)
  return {
    entries: elements.map(({ contract, element }) => entryOf(contract, element)),
    ...(last &&
      more && { next: { ...contractKeyOf(last.contract), tokenId: firstTokenId(last.element) } }),
  }
}

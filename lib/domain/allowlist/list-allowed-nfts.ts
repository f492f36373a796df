import { branded } from '../branded.ts'
import { type ContractWithRanges, compareContracts, contractKeyOf, type Nft } from '../nft/nft.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'
import { readPages, sourcesAtOnce } from '../reading/ordered-pages.ts'
import type { PageMark } from '../reading/reading-position.ts'
import { maxAllowedNftsPerPage } from './allowlist-limits.ts'
import { type AllowlistEntry, entryOf, firstTokenId, type TokenElement } from './token-element.ts'
import { compareTokenIds, largestTokenId, type TokenId, tokenIdOf } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

/**
 * Returns up to `limit` entries of a product's allowlist after `after`, in the order of D18; a range has the
 * place of its first identifier (4.4, D58). `after` need not be on the list. `next`: the position after the last entry, if further
 * entries follow: its NFT, or the first NFT of its range.
 */
export async function listAllowedNfts(
  productId: ProductId,
  range: { after?: Nft | undefined; limit?: number | undefined },
  { contracts, allowedTokenIds }: { contracts: Contracts; allowedTokenIds: AllowedTokenIds },
): Promise<{ entries: AllowlistEntry[]; next?: Nft }> {
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

/** The minimum number of elements that are read of a contract at a time: enough for most responses. */
const minPageSize = 1_000

const endless = Number.POSITIVE_INFINITY

export interface ContractElement {
  contract: ContractWithRanges
  element: TokenElement
}

/**
 * Returns up to `limit` elements of the allowlists of contracts that begin after `after`, and whether further
 * elements follow. The contracts and the elements are in the order of D18; a range has the place of its first
 * identifier (D58). `after` need not be on a list.
 */
export async function listElements(
  contracts: readonly ContractWithRanges[],
  { after, limit }: { after?: Nft | undefined; limit: number },
  allowedTokenIds: AllowedTokenIds,
): Promise<{ elements: ContractElement[]; more: boolean }> {
  const rest = after ? contracts.filter((one) => compareContracts(one, after) >= 0) : contracts
  // One more than the limit shows whether further elements follow.
  const wanted = limit + 1
  // Contracts that are read at the same time share the wanted elements: fewer contracts, larger pages.
  const share = Math.ceil(wanted / Math.min(rest.length, sourcesAtOnce))
  const size = Math.min(wanted, Math.max(share, minPageSize))
  const { items } = await readPages(
    rest,
    undefined,
    { limit: wanted, maxSize: endless, maxPages: endless, until: endless },
    async (contract, { pageKey }) => {
      const isCut = after !== undefined && compareContracts(contract, after) === 0
      const first = isCut ? after.tokenId : undefined
      const start = pageKey === undefined ? first : branded<TokenId>(pageKey)
      const page = await readElements(contract, start, size, allowedTokenIds)
      return {
        items: page.elements.map((element) => ({ contract, element, size: 0, mark: () => noMark })),
        next: page.next,
      }
    },
  )
  const elements = items.slice(0, limit).map(({ contract, element }) => ({ contract, element }))
  return { elements, more: items.length > limit }
}

/** A cursor of the list names an NFT, so no page is read a second time. */
const noMark = branded<PageMark>('')

/**
 * Reads entries of the allowlist of a contract that begin after an identifier: `size` single identifiers,
 * without those that are inside a range, and the ranges between them. Identifiers inside a range are not read,
 * as far as they come before the first or after the last identifier of the page.
 */
async function readElements(
  { bindingId, ranges }: ContractWithRanges,
  after: TokenId | undefined,
  size: number,
  allowedTokenIds: AllowedTokenIds,
): Promise<{ elements: TokenElement[]; next?: TokenId | undefined }> {
  const start = after === undefined ? 0n : BigInt(after) + 1n
  const covering = rangeWith(ranges, start)?.last
  const from = covering === undefined ? after : tokenIdOf(covering)
  const tokenIds =
    covering === largestTokenId
      ? []
      : await allowedTokenIds.list(bindingId, { limit: size, ...(from && { after: from }) })
  const next = tokenIds.length === size ? tokenIds.at(-1) : undefined
  if (ranges.length === 0) return { elements: tokenIds, next }
  const end = next === undefined ? largestTokenId : BigInt(next)
  const begun = ranges.filter(({ first }) => first >= start && first <= end)
  const alone = tokenIds.filter((tokenId) => !rangeWith(ranges, BigInt(tokenId)))
  const elements = [...alone, ...begun].sort((a, b) =>
    compareTokenIds(firstTokenId(a), firstTokenId(b)),
  )
  return { elements, next }
}

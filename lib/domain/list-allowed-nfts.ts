import { maxAllowedNftsPerPage } from './allowlist-limits.ts'
import { type ContractWithRanges, compareContracts, type Nft } from './nft.ts'
import { readPages, sourcesAtOnce } from './ordered-pages.ts'
import type { AllowedTokenIds, Contracts } from './ports/allowlist.ts'
import type { ProductId } from './product.ts'
import type { PageMark } from './reading-position.ts'
import { type AllowlistEntry, entryOf, firstTokenId, type TokenElement } from './token-element.ts'
import { compareTokenIds, largestTokenId, type TokenId } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

/** The minimum number of entries that are read of a contract at a time: enough for most responses. */
const minPageSize = 1_000

const endless = Number.POSITIVE_INFINITY

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
  const rest = after ? all.filter((contract) => compareContracts(contract, after) >= 0) : all
  // One more than the limit shows whether further entries follow.
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
      const start = pageKey ?? (isCut ? after.tokenId : undefined)
      const page = await readElements(contract, start as TokenId | undefined, size, allowedTokenIds)
      return {
        found: page.elements.map((element) => ({ contract, element, size: 0, mark: () => noMark })),
        next: page.next,
      }
    },
  )
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(({ contract, element }) => entryOf(contract, element)),
    ...(last && found.length > limit && { next: positionOf(last) }),
  }
}

/** A cursor of the list names an NFT, so no page is read a second time. */
const noMark = '' as PageMark

const positionOf = ({
  contract: { chain, address },
  element,
}: {
  contract: ContractWithRanges
  element: TokenElement
}): Nft => ({
  chain,
  address,
  tokenId: firstTokenId(element),
})

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
  const from = covering === undefined ? after : (`${covering}` as TokenId)
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

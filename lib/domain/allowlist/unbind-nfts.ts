import { ServiceUnavailable, TooManyNfts, TooManyRanges } from '../failures.ts'
import type { ContractKey, ContractWithRanges } from '../nft/nft.ts'
import type { AllowlistPorts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'
import { type Actor, eventRanges } from '../product/product-event.ts'
import { recordChange } from '../product/record-change.ts'
import { expectFewRanges, maxRangeAttempts, rangeLimits } from './allowlist-limits.ts'
import { splitTokenElements, type TokenElement } from './token-element.ts'
import type { TokenId } from './token-id.ts'
import {
  differenceOf,
  rangeOf,
  rangeWith,
  sameTokenIds,
  type TokenRanges,
  unionOf,
} from './token-ranges.ts'
import { connectedContract } from './unbind-contract.ts'

/** The effect of unbinding NFTs. */
export interface Unbinding {
  /** The number of removed single identifiers, of the allowlist or of the request. */
  removed: number
  /** The ranges of the request, merged. */
  ranges: TokenRanges
}

interface Removals {
  ranges: TokenRanges
  /** The single identifiers that are in none of the ranges. */
  tokenIds: readonly TokenId[]
  /** The single identifiers of the allowlist that are in the ranges. */
  covered: readonly TokenId[]
  all: TokenRanges
}

/** How single identifiers are removed: exact for concurrent callers (4.6), or in batches (D50). */
type Remove = 'remove' | 'removeInBatches'

/**
 * Removes NFTs from a contract's allowlist (4.6, D20, D57): the difference of the two sets. The change is
 * recorded (D49). A repeat after a failure removes the rest. Throws ContractNotConnected, and TooManyRanges
 * or TooManyNfts before anything has changed.
 */
export async function removeAllowedNfts(
  { productId, keyId }: Actor,
  key: ContractKey,
  elements: readonly TokenElement[],
  ports: AllowlistPorts,
  remove: Remove = 'remove',
): Promise<Unbinding> {
  const contract = await connectedContract(productId, key, ports.contracts)
  const removals = await removalsOf(contract, elements, ports)
  const left = await rangesAfter(productId, contract, removals, ports)
  const { chain, address: contractAddress } = contract
  const removed = await recordChange(
    productId,
    {
      action: 'unbindNfts',
      keyId,
      chain,
      contractAddress,
      count: elements.length,
      ranges: eventRanges(removals.ranges),
    },
    {
      make: async () => {
        const before = await replaceRanges(productId, contract, left, removals, ports)
        return await removeSingles(before, removals, remove, ports)
      },
      countOf: (count) => count,
    },
    ports.events,
  )
  return { removed, ranges: removals.ranges }
}

/** Like {@link removeAllowedNfts}, for many NFTs: simultaneous calls can both count an NFT as removed (D50). */
export const removeAllowedNftList: typeof removeAllowedNfts = (actor, key, elements, ports) =>
  removeAllowedNfts(actor, key, elements, ports, 'removeInBatches')

async function removalsOf(
  contract: ContractWithRanges,
  elements: readonly TokenElement[],
  { allowedTokenIds, limits = rangeLimits }: AllowlistPorts,
): Promise<Removals> {
  const { tokenIds: given, ranges: parts } = splitTokenElements(elements)
  const ranges = unionOf([], parts)
  const { rangesPerContract, tokenIdsInUnboundRanges } = limits
  if (ranges.length > rangesPerContract) throw new TooManyRanges('request', rangesPerContract)
  const covered: TokenId[] = []
  for (const range of ranges) {
    // One more than the maximum shows that there are too many.
    const limit = tokenIdsInUnboundRanges + 1 - covered.length
    covered.push(...(await allowedTokenIds.listIn(contract.bindingId, range, limit)))
    if (covered.length > tokenIdsInUnboundRanges) throw new TooManyNfts(tokenIdsInUnboundRanges)
  }
  const tokenIds = given.filter((tokenId) => !isIn(ranges, tokenId))
  // From an allowlist without ranges, only single identifiers are removed.
  const all = contract.ranges.length === 0 ? [] : unionOf(ranges, tokenIds.map(rangeOf))
  return { ranges, tokenIds, covered, all }
}

const isIn = (ranges: TokenRanges, tokenId: TokenId): boolean =>
  ranges.length > 0 && rangeWith(ranges, BigInt(tokenId)) !== undefined

/** The ranges of a contract that are left. Throws TooManyRanges. */
async function rangesAfter(
  productId: ProductId,
  contract: ContractWithRanges,
  { all }: Removals,
  { contracts, limits }: AllowlistPorts,
): Promise<TokenRanges> {
  const left = differenceOf(contract.ranges, all)
  if (left.length > contract.ranges.length) {
    expectFewRanges(left, contract, await contracts.list(productId), limits)
  }
  return left
}

/** Replaces the ranges of a connection, unless it has ended meanwhile. Returns the connection as it was before. */
async function replaceRanges(
  productId: ProductId,
  contract: ContractWithRanges,
  ranges: TokenRanges,
  removals: Removals,
  ports: AllowlistPorts,
): Promise<ContractWithRanges> {
  let [current, left] = [contract, ranges]
  for (let attempt = 0; attempt < maxRangeAttempts; attempt += 1) {
    if (sameTokenIds(left, current.ranges)) return current
    if (await ports.contracts.replaceRanges(productId, current, left)) return current
    const changed = await ports.contracts.get(productId, contract)
    if (changed?.bindingId !== contract.bindingId) return current
    current = changed
    left = await rangesAfter(productId, current, removals, ports)
  }
  throw new ServiceUnavailable('the ranges of a contract were changed over and over')
}

/**
 * Removes the single identifiers. Returns the number of them that were on the allowlist, as part of a range or
 * by themselves; an identifier that a removed range covers counts only if it was on the allowlist by itself, or
 * as the rest of a range.
 */
async function removeSingles(
  before: ContractWithRanges,
  removals: Removals,
  remove: Remove,
  { allowedTokenIds }: AllowlistPorts,
): Promise<number> {
  const { tokenIds, covered } = removals
  const { bindingId, ranges } = before
  if (ranges.length === 0 && covered.length === 0) {
    return await allowedTokenIds[remove](bindingId, tokenIds)
  }
  const partOf = (part: readonly TokenId[], isInside: boolean) =>
    part.filter((tokenId) => isIn(ranges, tokenId) === isInside)
  const inRange = partOf(tokenIds, true)
  // An identifier inside a range can also be on the allowlist by itself, since before the range was added.
  await allowedTokenIds.removeInBatches(bindingId, [...inRange, ...partOf(covered, true)])
  const alone = await allowedTokenIds[remove](bindingId, partOf(tokenIds, false))
  const inside = await allowedTokenIds.removeInBatches(bindingId, partOf(covered, false))
  return inRange.length + alone + inside + remnantsIn(ranges, removals.ranges)
}

/** The number of ranges of one identifier, which are listed as that identifier, that the removed ranges cover. */
const remnantsIn = (ranges: TokenRanges, removed: TokenRanges): number =>
  ranges.filter(({ first, last }) => first === last && rangeWith(removed, first)).length

import { unlessCallsSpent } from '../limit/reservation.ts'
import type { Address } from '../nft/address.ts'
import { type Chain, isCovered } from '../nft/chain.ts'
import { type ContractWithRanges, compareContracts, contractKeyOf, type Nft } from '../nft/nft.ts'
import { type IndexedNft, unknownNft } from '../nft/owned-nft.ts'
import type { Rendering } from '../player/player-nfts.ts'
import type { AllowedTokenIds, Contracts } from '../ports/allowlist.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { ProductId } from '../product/product.ts'
import { type Deadline, indexerCallMilliseconds, lastStartMilliseconds } from '../time-budget.ts'
import { maxNftsPerPage } from './allowlist-limits.ts'
import { existingNfts } from './existing-nfts.ts'
import { type ContractElement, listElements } from './list-allowed-nfts.ts'
import { lastTokenId } from './token-element.ts'
import { rangeWith } from './token-ranges.ts'

/** The maximum number of contracts in one response: each takes one call of the indexer (D60). */
const maxContracts = 8

/** The maximum number of pages of the contracts' NFTs for one response (D60). */
const maxPages = 8

/** A request for the NFTs on a product's allowlist: of all contracts, or of some of them. */
export interface NftsQuery {
  productId: ProductId
  chain?: Chain | undefined
  contractAddress?: Address | undefined
  after?: Nft | undefined
  limit?: number | undefined
  deadline: Deadline
}

interface NftsPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
}

/**
 * Returns up to `limit` NFTs on a product's allowlist after `after`, with their metadata, in the order of D18:
 * single identifiers whether or not their NFT exists, and of ranges the NFTs that exist (D60). A page can be
 * short or empty; it is the last one if it has no `next`, which is the position to continue after. When no call of the
 * indexer is left, the page ends before the first contract whose metadata was not read (D78).
 */
export async function listNfts<Entry>(
  query: NftsQuery,
  { render, maxSize }: { render(nft: IndexedNft): Rendering<Entry>; maxSize: number },
  ports: NftsPorts,
): Promise<{ entries: Entry[]; next?: Nft }> {
  const { after, limit = maxNftsPerPage, deadline } = query
  const { elements, more } = await elementsAfter(await contractsOf(query, ports), after, ports)
  // The metadata of the NFTs is read after their last page.
  const until = deadline - lastStartMilliseconds - indexerCallMilliseconds
  const limits = { nfts: limit, contracts: maxContracts, pages: maxPages, until }
  const { nfts, readUpTo } = await existingNfts(elements, limits, ports.indexer, deadline)
  const last = elements.at(-1)
  const described = await describe(nfts, ports.indexer, deadline)
  const isCut = described.length < nfts.length
  const readTo = isCut ? nfts[described.length - 1] : readUpTo
  const end = readTo ?? (more && last ? endOf(last) : undefined)
  const entries: Entry[] = []
  let total = 0
  for (const [index, { entry, size }] of described.map(render).entries()) {
    total += size
    const before = nfts[index - 1]
    if (before && total > maxSize) return { entries, next: before }
    entries.push(entry)
  }
  return { entries, ...(end && { next: end }) }
}

async function contractsOf(
  { productId, chain, contractAddress: address }: NftsQuery,
  { contracts }: NftsPorts,
): Promise<ContractWithRanges[]> {
  if (chain && address) {
    const contract = await contracts.get(productId, { chain, address })
    return contract ? [contract] : []
  }
  return (await contracts.list(productId)).filter(
    (contract) =>
      (!chain || contract.chain === chain) && (!address || contract.address === address),
  )
}

/** The next elements after a position, beginning with the rest of the range that the position is in. */
export async function elementsAfter(
  contracts: readonly ContractWithRanges[],
  after: Nft | undefined,
  { allowedTokenIds }: Pick<NftsPorts, 'allowedTokenIds'>,
): Promise<{ elements: ContractElement[]; more: boolean }> {
  const listed = await listElements(contracts, { after, limit: maxNftsPerPage }, allowedTokenIds)
  const contract = after && contracts.find((one) => compareContracts(one, after) === 0)
  if (!contract) return listed
  const at = BigInt(after.tokenId)
  const range = rangeWith(contract.ranges, at)
  if (!range || range.last === at) return listed
  const rest = { contract, element: { first: at + 1n, last: range.last } }
  return { ...listed, elements: [rest, ...listed.elements] }
}

export const endOf = ({ contract, element }: ContractElement): Nft => ({
  ...contractKeyOf(contract),
  tokenId: lastTokenId(element),
})

/**
 * The NFTs with their metadata, up to the first contract for which no call of the indexer is left. Throws CallsSpent if
 * that is the first one.
 */
async function describe(
  nfts: readonly Nft[],
  indexer: Indexer,
  deadline: Deadline,
): Promise<IndexedNft[]> {
  const groups = Map.groupBy(nfts, ({ chain, address }) => `${chain}/${address}`)
  const described = await Promise.all(
    [...groups.values()].map(async (group, index) => {
      const [first] = group
      // A group has at least the NFT that began it.
      if (!first) return []
      const contract = contractKeyOf(first)
      const tokenIds = group.map(({ tokenId }) => tokenId)
      // The indexer is not called for a chain that it does not cover (D56).
      if (!isCovered(contract.chain)) return tokenIds.map((id) => unknownNft(contract, id))
      const read = indexer.metadata({ contract, tokenIds, fromSource: false, deadline })
      return await (index === 0 ? read : read.catch(unlessCallsSpent))
    }),
  )
  const end = described.indexOf(undefined)
  return described.slice(0, end === -1 ? undefined : end).flatMap((group) => group ?? [])
}

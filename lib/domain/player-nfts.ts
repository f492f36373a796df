import type { Address } from './address.ts'
import { type Chain, isCovered } from './chain.ts'
import { InvalidInput } from './failures.ts'
import { maxContractsPerCall } from './indexer-limits.ts'
import { type BindingId, type ContractWithRanges, compareNfts } from './nft.ts'
import { readPages } from './ordered-pages.ts'
import type { OwnedNft } from './owned-nft.ts'
import type { Player } from './player.ts'
import type { AllowedTokenIds, Contracts } from './ports/allowlist.ts'
import type { CursorContext, Cursors } from './ports/cursors.ts'
import type { Indexer } from './ports/indexer.ts'
import type { ProductId } from './product.ts'
import { pageLifetimeMilliseconds, pageMark, type ReadingPosition } from './reading-position.ts'
import { compareTexts } from './text.ts'
import { type Deadline, lastStartMilliseconds } from './time-budget.ts'
import type { TokenId } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

/** The maximum number of entries in one response (D25). */
export const maxPlayerNftsPerPage = 1_000

/** The maximum number of indexer pages for one response (D25). */
const maxIndexerPages = 64

/** The part of a reading that one indexer call covers: one wallet and at most 45 contracts on one chain. */
interface Slice {
  chain: Chain
  contracts: readonly ContractWithRanges[]
  owner: Address
  /** The NFTs that the request has read of it. */
  seen: Set<string>
}

/** A request for a player's NFTs: of one product, on all or some chains, up to `limit` entries. */
export interface PlayerNftsQuery {
  /** The operation: a cursor works for the same operation only. */
  operation: string
  productId: ProductId
  player: Player
  chains?: readonly Chain[] | undefined
  limit?: number | undefined
  cursor?: string | undefined
  deadline: Deadline
}

/** An NFT as an entry of the response, with the size of the entry. */
export interface Rendering<Entry> {
  entry: Entry
  size: number
}

/** The form of the response: its entries, and their maximum size in total, in the unit of the entries. */
export interface ResponseForm<Entry> {
  render(nft: OwnedNft): Rendering<Entry>
  maxSize: number
}

export interface PlayerNftsPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  indexer: Indexer
  cursors: Cursors
}

/**
 * Returns the NFTs that are in the player's wallets and on the product's allowlist (4.8, 4.9, D24): all
 * NFTs in the order of D18 and then owner, or a part in the indexer's order with the cursor for the next
 * part (D25). The cost grows with the number of NFTs that the player owns, never with the allowlist.
 */
export async function readPlayerNfts<Entry>(
  query: PlayerNftsQuery,
  { render, maxSize }: ResponseForm<Entry>,
  ports: PlayerNftsPorts,
): Promise<{ entries: Entry[]; nextCursor?: string }> {
  const { player, chains, limit = maxPlayerNftsPerPage, cursor, deadline } = query
  const contracts = (await ports.contracts.list(query.productId)).filter(
    ({ chain }) => isCovered(chain) && (chains?.includes(chain) ?? true),
  )
  const context: CursorContext = {
    scope: [query.operation, query.productId, `${player.userId}`, ...(chains ?? [])],
    basis: [...player.wallets, ...contracts.map(({ bindingId }) => bindingId)],
  }
  const slices = slicesOf(contracts, player.wallets)
  const start =
    cursor === undefined ? undefined : await open(cursor, context, slices.length, ports.cursors)
  const budget = {
    limit,
    maxSize,
    maxPages: maxIndexerPages,
    until: deadline - lastStartMilliseconds,
  }
  const { found, next } = await readPages(
    slices,
    start,
    budget,
    async (slice: Slice, { pageKey, progress }) => {
      const page = await ports.indexer.ownedNfts({
        chain: slice.chain,
        owner: slice.owner,
        contracts: slice.contracts.map(({ address }) => address),
        ...(pageKey !== undefined && { pageKey }),
        ...(progress && { progress }),
        seen: slice.seen,
        deadline,
      })
      const allowed = await allowlisted(page.nfts, slice, ports.allowedTokenIds)
      return {
        found: allowed.map((nft) => ({
          nft,
          mark: () => pageMark(`${nft.address}/${nft.tokenId}`),
          ...render(nft),
        })),
        next: page.pageKey,
        progress: page.progress,
      }
    },
  )
  // Only a complete response can be sorted.
  if (!start && !next) found.sort((a, b) => compareOwned(a.nft, b.nft))
  return {
    entries: found.map(({ entry }) => entry),
    ...(next && { nextCursor: await seal(next, context, ports.cursors) }),
  }
}

/** Slices by chain, then by runs of at most 45 contracts by address, then by wallet (D25). */
function slicesOf(contracts: readonly ContractWithRanges[], wallets: readonly Address[]): Slice[] {
  return [...Map.groupBy(contracts, ({ chain }) => chain)].flatMap(([chain, onChain]) =>
    runs(onChain, maxContractsPerCall).flatMap((run) =>
      wallets.map((owner) => ({ chain, contracts: run, owner, seen: new Set<string>() })),
    ),
  )
}

const runs = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** The NFTs of a page that are allowlisted, in its order. The NFTs that are in a range need no read (D57). */
async function allowlisted(
  nfts: readonly OwnedNft[],
  slice: Slice,
  allowedTokenIds: AllowedTokenIds,
): Promise<OwnedNft[]> {
  const contracts = new Map(slice.contracts.map((contract) => [contract.address, contract]))
  const allowed = new Set<OwnedNft>()
  const unknown: { nft: OwnedNft; bindingId: BindingId; tokenId: TokenId }[] = []
  for (const nft of nfts) {
    const contract = contracts.get(nft.address)
    if (!contract) continue
    const { ranges, bindingId } = contract
    if (ranges.length > 0 && rangeWith(ranges, BigInt(nft.tokenId))) allowed.add(nft)
    else unknown.push({ nft, bindingId, tokenId: nft.tokenId })
  }
  const found = unknown.length === 0 ? [] : await allowedTokenIds.findAllowed(unknown)
  for (const { nft } of found) allowed.add(nft)
  return nfts.filter((nft) => allowed.has(nft))
}

const compareOwned = (a: OwnedNft, b: OwnedNft): number =>
  compareNfts(a, b) || compareTexts(a.owner, b.owner)

async function open(
  cursor: string,
  context: CursorContext,
  sourceCount: number,
  cursors: Cursors,
): Promise<ReadingPosition> {
  const position = await cursors.open(cursor, context)
  // Another release can divide the same contracts into other sources.
  if (position && position.source < sourceCount) return position
  throw new InvalidInput({ in: 'query', path: 'cursor' }, 'was not given out for this request')
}

const seal = (
  position: ReadingPosition,
  context: CursorContext,
  cursors: Cursors,
): Promise<string> =>
  cursors.seal(
    { ...position, expiresAt: position.expiresAt ?? Date.now() + pageLifetimeMilliseconds },
    context,
  )

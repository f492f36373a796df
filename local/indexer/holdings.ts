import { compareTokenIds, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import {
  addCollection,
  type Collection,
  canonicalAddress,
  canonicalTokenId,
  collectionOf,
  type Holding,
  type Network,
  type NftRef,
  type TokenType,
  type World,
} from './world.ts'

/**
 * Adds an amount of an NFT to a wallet. Does not check that an ERC-721 token has one owner. Writes no event: it prepares
 * a world before readers ask for it. `transfer` writes one.
 */
export function give(world: World, nft: NftRef, wallet: string, amount = 1n): void {
  const { address } = collectionOf(world, nft)
  const holding = openHolding(world, nft.network, canonicalAddress(wallet), address)
  const tokenId = canonicalTokenId(nft.tokenId)
  holding.set(tokenId, (holding.get(tokenId) ?? 0n) + amount)
}

/** Removes an amount of an NFT from a wallet, without an event. Throws a RangeError if the wallet holds less. */
export function take(world: World, nft: NftRef, wallet: string, amount = 1n): void {
  const owner = canonicalAddress(wallet)
  const address = canonicalAddress(nft.address)
  const tokenId = canonicalTokenId(nft.tokenId)
  const holding = world[nft.network].wallets.get(owner)?.get(address)
  const left = (holding?.get(tokenId) ?? 0n) - amount
  if (!holding || left < 0n) throw new RangeError(`${wallet} holds too few of ${tokenId}`)
  if (left > 0n) holding.set(tokenId, left)
  else holding.delete(tokenId)
}

/**
 * Gives a wallet an amount, by default 1, of each of a contract's NFTs. Deploys the contract if it does not
 * exist, with documents from `metadata`, which returns JSON text.
 */
export function ownedBy(
  world: World,
  contract: { network: Network; address: string; tokenType?: TokenType },
  wallet: string,
  tokenIds: Iterable<string>,
  options: { metadata?: (tokenId: string) => string; amount?: bigint } = {},
): void {
  const { network, address, tokenType = 'ERC721' } = contract
  const metadata = options.metadata ?? ((tokenId: string) => `{"name":"Token ${tokenId}"}`)
  if (!world[network].collections.has(canonicalAddress(address))) {
    addCollection(world, {
      network,
      address,
      tokenType,
      name: 'Made Up',
      totalSupply: 1_000_000,
      tokenUri: (tokenId) => `https://metadata.example/${address}/${tokenId}`,
      metadata: (tokenId) => ({ metadata: metadata(tokenId) }),
    })
  }
  for (const tokenId of tokenIds) give(world, { network, address, tokenId }, wallet, options.amount)
}

/** A position among a wallet's NFTs, which are in the order of contract address and token identifier. */
export interface Position {
  address: Address
  tokenId: TokenId
}

interface OwnedPage {
  owned: { collection: Collection; tokenId: TokenId; amount: bigint }[]
  /** The number of NFTs that match the query, on all pages. */
  totalCount: number
  /** The position of the last NFT of this page, or `undefined` if this is the last page. */
  last: Position | undefined
}

/**
 * Returns up to `limit` of a wallet's NFTs after a position, of the given contracts or of all. A position is not an index, so that a change of other NFTs neither skips nor repeats an NFT on the next page.
 */
export function ownedAfter(
  world: World,
  query: { network: Network; owner: Address; contracts?: readonly Address[] },
  { after, limit }: { after: Position | undefined; limit: number },
): OwnedPage {
  const held = world[query.network].wallets.get(query.owner) ?? new Map<Address, Holding>()
  const addresses = [...new Set(query.contracts ?? held.keys())].filter((address) =>
    held.has(address),
  )
  const page: OwnedPage = { owned: [], totalCount: 0, last: undefined }
  for (const address of addresses.sort()) {
    const holding = held.get(address) as Holding
    page.totalCount += holding.size
    if (after && address < after.address) continue
    const order = [...holding.keys()].sort(compareTokenIds)
    const start =
      address === after?.address
        ? order.findLastIndex((tokenId) => compareTokenIds(tokenId, after.tokenId) <= 0) + 1
        : 0
    const collection = collectionOf(world, { network: query.network, address })
    const tokenIds = order.slice(start, start + limit - page.owned.length)
    for (const tokenId of tokenIds) {
      page.owned.push({ collection, tokenId, amount: holding.get(tokenId) as bigint })
    }
    if (start + tokenIds.length < order.length) page.last = positionOf(page.owned.at(-1))
  }
  return page
}

const positionOf = (last: OwnedPage['owned'][number] | undefined): Position | undefined =>
  last && { address: last.collection.address, tokenId: last.tokenId }

function openHolding(world: World, network: Network, owner: Address, address: Address): Holding {
  const { wallets } = world[network]
  const held = wallets.get(owner) ?? new Map<Address, Holding>()
  wallets.set(owner, held)
  const holding: Holding = held.get(address) ?? new Map()
  held.set(address, holding)
  return holding
}

/**
 * Returns up to `limit` token identifiers of a contract from `start` on, in their order: those of the NFTs
 * that a wallet holds, because every NFT that exists has an owner. `next` is the first one after the page.
 */
export function mintedFrom(
  world: World,
  { network, address }: { network: Network; address: Address },
  { start, limit }: { start: TokenId; limit: number },
): { tokenIds: TokenId[]; next: TokenId | undefined } {
  const minted = new Set<TokenId>()
  for (const held of world[network].wallets.values()) {
    for (const tokenId of held.get(address)?.keys() ?? []) {
      if (compareTokenIds(tokenId, start) >= 0) minted.add(tokenId)
    }
  }
  const order = [...minted].sort(compareTokenIds)
  return { tokenIds: order.slice(0, limit), next: order[limit] }
}

interface OwnersPage {
  owners: { owner: Address; amounts: { tokenId: TokenId; amount: bigint }[] }[]
  /** The last owner of this page, or `undefined` if this is the last page. */
  last: Address | undefined
}

/** Returns up to `limit` owners of a contract's NFTs after an address, in the order of addresses, with what each of them holds. */
export function ownersAfter(
  world: World,
  { network, address }: { network: Network; address: Address },
  { after, limit }: { after: Address | undefined; limit: number },
): OwnersPage {
  const following = [...world[network].wallets]
    .flatMap(([owner, held]) => {
      const amounts: Holding = held.get(address) ?? new Map()
      const isNext = amounts.size > 0 && (after === undefined || owner > after)
      return isNext ? [{ owner, amounts }] : []
    })
    .sort((one, other) => (one.owner < other.owner ? -1 : 1))
  const owners = following.slice(0, limit).map(({ owner, amounts }) => ({
    owner,
    amounts: [...amounts]
      .map(([tokenId, amount]) => ({ tokenId, amount }))
      .sort((one, other) => compareTokenIds(one.tokenId, other.tokenId)),
  }))
  return { owners, last: following.length > limit ? owners.at(-1)?.owner : undefined }
}

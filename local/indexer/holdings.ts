import type { Address } from '../../lib/domain/address.ts'
import { compareTokenIds, type TokenId } from '../../lib/domain/token-id.ts'
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

/** Adds an amount of an NFT to a wallet. That an ERC-721 token has one owner is the caller's care. */
export function give(world: World, nft: NftRef, wallet: string, amount = 1n): void {
  const { address } = collectionOf(world, nft)
  const holding = openHolding(world, nft.network, canonicalAddress(wallet), address)
  const tokenId = canonicalTokenId(nft.tokenId)
  const before = holding.amounts.get(tokenId)
  if (before === undefined) holding.order = undefined
  holding.amounts.set(tokenId, (before ?? 0n) + amount)
}

/** Takes an amount of an NFT from a wallet. Throws a RangeError if it holds less. */
export function take(world: World, nft: NftRef, wallet: string, amount = 1n): void {
  const owner = canonicalAddress(wallet)
  const address = canonicalAddress(nft.address)
  const tokenId = canonicalTokenId(nft.tokenId)
  const holding = world[nft.network].wallets.get(owner)?.get(address)
  const left = (holding?.amounts.get(tokenId) ?? 0n) - amount
  if (!holding || left < 0n) throw new RangeError(`${wallet} holds too few of ${tokenId}`)
  if (left > 0n) {
    holding.amounts.set(tokenId, left)
    return
  }
  holding.amounts.delete(tokenId)
  holding.order = undefined
}

/**
 * Gives a wallet one each of a contract's tokens, deploying the contract if there is none: for worlds
 * made up on the spot. `metadata` writes the documents of a contract deployed here, as JSON text.
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
      symbol: 'MADE',
      totalSupply: 1_000_000,
      tokenUri: (tokenId) => `https://metadata.example/${address}/${tokenId}`,
      metadata: (tokenId) => ({ metadata: metadata(tokenId) }),
    })
  }
  for (const tokenId of tokenIds) give(world, { network, address, tokenId }, wallet, options.amount)
}

/** A place in a wallet's order: by contract address, then by token identifier as a number. */
export interface Position {
  address: Address
  tokenId: TokenId
}

/** A run of a wallet's NFTs. */
export interface OwnedRun {
  owned: { collection: Collection; tokenId: TokenId; amount: bigint }[]
  /** How many NFTs the whole query matches. */
  totalCount: number
  /** Where the next run begins, after the last one of this; `undefined` at the end. */
  last: Position | undefined
}

/**
 * Reads up to `limit` of a wallet's NFTs after a position, of the given contracts or of all. Positions
 * are places, not counts: NFTs that stay are neither lost nor repeated when others come and go.
 */
export function ownedAfter(
  world: World,
  query: { network: Network; owner: Address; contracts?: readonly Address[] },
  { after, limit }: { after: Position | undefined; limit: number },
): OwnedRun {
  const held = world[query.network].wallets.get(query.owner) ?? new Map<Address, Holding>()
  const addresses = [...new Set(query.contracts ?? held.keys())].filter((one) => held.has(one))
  const run: OwnedRun = { owned: [], totalCount: 0, last: undefined }
  for (const address of addresses.sort()) {
    const holding = held.get(address) as Holding
    run.totalCount += holding.amounts.size
    if (after && address < after.address) continue
    const order = orderOf(holding)
    const start = address === after?.address ? firstAfter(order, after.tokenId) : 0
    const collection = collectionOf(world, { network: query.network, address })
    const tokenIds = order.slice(start, start + limit - run.owned.length)
    for (const tokenId of tokenIds) {
      run.owned.push({ collection, tokenId, amount: holding.amounts.get(tokenId) as bigint })
    }
    if (start + tokenIds.length < order.length) run.last = placeOf(run.owned.at(-1))
  }
  return run
}

const placeOf = (newest: OwnedRun['owned'][number] | undefined): Position | undefined =>
  newest && { address: newest.collection.address, tokenId: newest.tokenId }

function openHolding(world: World, network: Network, owner: Address, address: Address): Holding {
  const { wallets } = world[network]
  const held = wallets.get(owner) ?? new Map<Address, Holding>()
  wallets.set(owner, held)
  const holding = held.get(address) ?? { amounts: new Map(), order: undefined }
  held.set(address, holding)
  return holding
}

function orderOf(holding: Holding): TokenId[] {
  holding.order ??= [...holding.amounts.keys()].sort(compareTokenIds)
  return holding.order
}

/** The index of the first token identifier greater than the given one, by bisection. */
function firstAfter(order: readonly TokenId[], tokenId: TokenId): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTokenIds(order[middle] as TokenId, tokenId) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

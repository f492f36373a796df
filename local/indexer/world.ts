import { type Address, toAddress } from '../../lib/domain/address.ts'
import { parseTokenId, type TokenId } from '../../lib/domain/token-id.ts'

/** The networks the indexer knows, as they stand in its paths. */
export const networks = ['polygon-mainnet', 'bnb-mainnet', 'polygon-amoy', 'bnb-testnet'] as const

/** One of {@link networks}. */
export type Network = (typeof networks)[number]

/** The two kinds of NFT contract. */
export type TokenType = 'ERC721' | 'ERC1155'

/** Names one NFT; the address in any case, the token identifier decimal or hexadecimal. */
export interface NftRef {
  network: Network
  address: string
  tokenId: string
}

/** What a token's metadata source answers. */
export interface SourceAnswer {
  /** The document: JSON text, which the indexer hands on byte for byte; `{}` where it could not be had. */
  metadata: string
  /** Why it could not be had, in Alchemy's words. */
  error?: string
}

/** A contract as its maker describes it. The two functions are pure; they are asked once per token. */
export interface CollectionDescription {
  network: Network
  address: string
  tokenType: TokenType
  name: string
  symbol: string
  totalSupply: number
  /** The token URI as the contract gives it. */
  tokenUri(tokenId: string): string
  /** What the token's source says at first; `undefined`: there is no such token. */
  metadata(tokenId: string): SourceAnswer | undefined
}

/** A contract, with what the indexer knows of those of its tokens that were ever looked at. */
export interface Collection extends CollectionDescription {
  readonly address: Address
  readonly tokens: Map<TokenId, Token>
}

/** A token's metadata at its source and in the indexer's cache. */
export interface Token {
  readonly tokenUri: string
  source: SourceAnswer
  cached: SourceAnswer
  /** When `cached` was fetched, milliseconds since 1970. */
  cachedAt: number
  /** When a caller's wish for a refresh was last honoured, milliseconds since 1970. */
  refreshedAt: number | undefined
}

/** What one wallet holds of one contract. */
export interface Holding {
  readonly amounts: Map<TokenId, bigint>
  /** The keys of `amounts` in the order of numbers; `undefined` until asked for. */
  order: TokenId[] | undefined
}

/** All that happened on one network. */
export interface Ledger {
  readonly collections: Map<Address, Collection>
  /** Wallet → contract → holding. */
  readonly wallets: Map<Address, Map<Address, Holding>>
  /** ERC-20 contract → wallet → balance in the smallest unit. */
  readonly balances: Map<Address, Map<Address, bigint>>
}

/** Who holds what on every network, and what it is: all that the indexer answers from. */
export type World = Readonly<Record<Network, Ledger>>

const emptyLedger = (): Ledger => ({
  collections: new Map(),
  wallets: new Map(),
  balances: new Map(),
})

/** A world without contracts. Its owner may change it at any time, also while it is served. */
export const createWorld = (): World =>
  Object.fromEntries(networks.map((network) => [network, emptyLedger()])) as Record<Network, Ledger>

/** Deploys a contract. Throws a RangeError if there is one at that address. */
export function addCollection(world: World, description: CollectionDescription): Collection {
  const address = canonicalAddress(description.address)
  const { collections } = world[description.network]
  if (collections.has(address)) throw new RangeError(`${address} is taken`)
  const collection = { ...description, address, tokens: new Map<TokenId, Token>() }
  collections.set(address, collection)
  return collection
}

/** The contract at an address; throws a RangeError if there is none. */
export function collectionOf(world: World, { network, address }: Omit<NftRef, 'tokenId'>) {
  const collection = world[network].collections.get(canonicalAddress(address))
  if (!collection) throw new RangeError(`no collection at ${address} on ${network}`)
  return collection
}

/** Sets a wallet's balance of an ERC-20 token, in its smallest unit; the token exists from then on. */
export function setBalance(
  world: World,
  token: { network: Network; address: string; wallet: string },
  balance: bigint,
): void {
  const { balances } = world[token.network]
  const address = canonicalAddress(token.address)
  const wallets = balances.get(address) ?? new Map<Address, bigint>()
  balances.set(address, wallets.set(canonicalAddress(token.wallet), balance))
}

/** An address in the form that keys have, whatever its case. Throws a RangeError for other texts. */
export const canonicalAddress = (text: string): Address => toAddress(text.toLowerCase())

/** A token identifier in the form that keys have. Throws a RangeError for other texts. */
export function canonicalTokenId(text: string): TokenId {
  const tokenId = parseTokenId(text)
  if (tokenId === undefined) throw new RangeError('not a token identifier')
  return tokenId
}

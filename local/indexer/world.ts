import { parseTokenId, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import { chains, coveredChains, type Network } from '../../lib/domain/nft/chain.ts'
import { type ChainState, emptyChain } from './chain/chain-state.ts'

export type { Network } from '../../lib/domain/nft/chain.ts'

/** The networks of the indexer, by their names in paths: those of the covered chains (D56). */
export const networks: readonly Network[] = coveredChains.map((chain) => chains[chain].network)

/** The two kinds of NFT contract. */
export type TokenType = 'ERC721' | 'ERC1155'

/** Identifies an NFT. The address has any case, and the token identifier is decimal or hexadecimal. */
export interface NftRef {
  network: Network
  address: string
  tokenId: string
}

/** The response of a token's metadata source. */
export interface SourceAnswer {
  /** The document, as JSON text, which the indexer returns byte for byte; `{}` if the source failed. */
  metadata: string
  /** The reason of the failure, in Alchemy's words. */
  error?: string
}

/** The description of a contract. The two functions are pure and are called once per token. */
export interface CollectionDescription {
  network: Network
  address: string
  tokenType: TokenType
  name: string
  totalSupply: number
  /** Returns the token URI of the contract. */
  tokenUri(tokenId: string): string
  /** Returns the first response of the token's source, or `undefined` if the token does not exist. */
  metadata(tokenId: string): SourceAnswer | undefined
  /** Returns the first response of the source of a token that is minted later; without it, no token can be minted. */
  minted?(tokenId: string): SourceAnswer
}

/** A contract and its indexed tokens. */
export interface Collection extends CollectionDescription {
  readonly address: Address
  readonly tokens: Map<TokenId, Token>
}

/** A token's metadata at its source and in the indexer's cache. */
export interface Token {
  readonly tokenUri: string
  source: SourceAnswer
  cached: SourceAnswer
  /** The time when `cached` was fetched, in milliseconds since 1970. */
  cachedAt: number
  /** The time of the last refresh on request of a caller, in milliseconds since 1970. */
  refreshedAt: number | undefined
}

/** A wallet's NFTs of a contract, with their amounts. */
export type Holding = Map<TokenId, bigint>

/** A smart account of a chain. Code of this project judges signatures in the place of its contract. */
export interface SmartAccount {
  /** The code at its address, in hexadecimal; `0x` before it is deployed. */
  code: string
  /** The call that deploys it, as signatures of ERC-6492 have it. */
  deployment?: { factory: Address; call: string }
  /** Whether the account accepts a signature of a digest of 32 bytes (ERC-1271). */
  accepts(digest: Uint8Array, signature: Uint8Array): boolean
}

/** The state of a network. */
export interface Ledger {
  readonly collections: Map<Address, Collection>
  readonly accounts: Map<Address, SmartAccount>
  /** Wallet → contract → holding. */
  readonly wallets: Map<Address, Map<Address, Holding>>
  /** ERC-20 contract → wallet → balance in the smallest unit. */
  readonly balances: Map<Address, Map<Address, bigint>>
  readonly chain: ChainState
}

/** The data of the indexer: contracts, tokens and holdings on every network. */
export type World = Readonly<Record<Network, Ledger>>

const emptyLedger = (genesis: string): Ledger => ({
  collections: new Map(),
  accounts: new Map(),
  wallets: new Map(),
  balances: new Map(),
  chain: emptyChain(genesis),
})

/**
 * Creates a world without contracts. Callers may change it at any time, also while it is served. Worlds with different
 * texts as `genesis` have different hashes of blocks.
 */
export const createWorld = (genesis = ''): World =>
  Object.fromEntries(networks.map((network) => [network, emptyLedger(genesis)])) as Record<
    Network,
    Ledger
  >

/** Deploys a contract. Throws a RangeError if the address is taken. */
export function addCollection(world: World, description: CollectionDescription): Collection {
  const address = canonicalAddress(description.address)
  const { collections } = world[description.network]
  if (collections.has(address)) throw new RangeError(`${address} is taken`)
  const collection = { ...description, address, tokens: new Map<TokenId, Token>() }
  collections.set(address, collection)
  return collection
}

/** Returns the contract at an address. Throws a RangeError if there is none. */
export function collectionOf(world: World, { network, address }: Omit<NftRef, 'tokenId'>) {
  const collection = world[network].collections.get(canonicalAddress(address))
  if (!collection) throw new RangeError(`no collection at ${address} on ${network}`)
  return collection
}

/** Sets a wallet's balance of an ERC-20 token, in its smallest unit. Deploys the token if it does not exist. */
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

/** Returns an address in the form of the keys, from any case. Throws a RangeError for other texts. */
export const canonicalAddress = (text: string): Address => toAddress(text.toLowerCase())

/** Returns a token identifier in the form of the keys. Throws a RangeError for other texts. */
export function canonicalTokenId(text: string): TokenId {
  const tokenId = parseTokenId(text)
  if (tokenId === undefined) throw new RangeError('not a token identifier')
  return tokenId
}

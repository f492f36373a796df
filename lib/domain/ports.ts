import type { Address } from './address.ts'
import type { BindingId, Contract, ContractKey } from './allowlist.ts'
import type { Chain } from './chain.ts'
import type { IndexedNft, OwnedNft } from './owned-nft.ts'
import type { Place } from './place.ts'
import type { Player } from './player.ts'
import type { ApiKey, Product, ProductId } from './product.ts'
import type { RefreshState } from './refresh-state.ts'
import type { Deadline } from './time-budget.ts'
import type { TokenId } from './token-id.ts'
import type { WorkItem } from './work.ts'

/**
 * What the domain needs of the world. Every method may throw {@link ServiceUnavailable}, those of
 * {@link Indexer} {@link IndexerUnavailable}; nothing else is expected of them.
 */

/** The registered products. */
export interface Products {
  /** Stores a product and makes `apiKey` its key. A crash half-way leaves nothing that can be seen (D10). */
  register(product: Product, apiKey: ApiKey): Promise<void>
  get(productId: ProductId): Promise<Product | undefined>
}

/** The API keys, known by their digests only (D9). */
export interface ApiKeys {
  /** The product a key belongs to. An answer may be up to 60 s old. */
  productOf(apiKey: ApiKey): Promise<ProductId | undefined>
}

/** The contracts connected to a product. Reads see every write that was answered before (D19). */
export interface Contracts {
  /** All of them, in the order of D18. */
  list(productId: ProductId): Promise<Contract[]>
  get(productId: ProductId, key: ContractKey): Promise<Contract | undefined>
  /** Replaces the description of a connected contract; `undefined` if it is not connected (D17). */
  redescribe(
    productId: ProductId,
    key: ContractKey,
    description: string,
  ): Promise<Contract | undefined>
  /** Makes a new connection; `undefined` if somebody else was faster. */
  connect(
    productId: ProductId,
    key: ContractKey,
    description: string,
  ): Promise<Contract | undefined>
  /** Ends exactly this connection; one that is gone already is left alone. */
  disconnect(productId: ProductId, contract: Contract): Promise<void>
}

/** The token identifiers allowlisted under each connection of a contract. */
export interface AllowedTokenIds {
  /** Adds all; safe to repeat and to run at the same time (D17). */
  add(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<void>
  /** Removes those that are there and answers how many were. */
  remove(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<number>
  /** Up to `limit` identifiers after `after`, in the order of numbers. */
  list(bindingId: BindingId, range: { after?: TokenId; limit: number }): Promise<TokenId[]>
  /** How many there are after `after`: at least so many, if `until` comes before the end. */
  count(bindingId: BindingId, range: { after?: TokenId; until: Deadline }): Promise<number>
  /** Which of the given entries are allowlisted, as a predicate; one read for each 100 of them. */
  among(entries: readonly AllowedEntry[]): Promise<(entry: AllowedEntry) => boolean>
  /** Deletes everything under a connection, until `until`; answers whether nothing is left (D19). */
  sweep(bindingId: BindingId, until: Deadline): Promise<boolean>
}

/** A token identifier under a connection. */
export interface AllowedEntry {
  bindingId: BindingId
  tokenId: TokenId
}

/** The players, as their latest user JWT described them (D23). */
export interface Players {
  /** Keeps the player unless what is kept came from a later user JWT. `issuedAt`: seconds since 1970. */
  record(player: Player, issuedAt: number): Promise<void>
  get(userId: number): Promise<Player | undefined>
}

/** A verified user JWT (D21). */
export interface UserIdentity extends Player {
  /** When the user JWT was issued, seconds since 1970. */
  issuedAt: number
}

/** Verifies the platform's user JWTs; throws {@link InvalidUserJwt} (D21). */
export interface UserJwts {
  verify(userJwt: string): Promise<UserIdentity>
}

/** Makes player tokens (D23). */
export interface PlayerTokenMint {
  mint(userId: number): Promise<string>
}

/** Verifies player tokens and answers the user id; throws InvalidPlayerToken or PlayerTokenExpired (D23). */
export interface PlayerTokens {
  verify(playerToken: string): Promise<number>
}

/** The public keys of the deployment (D32). */
export interface PublicKeys {
  /** The DER SubjectPublicKeyInfo of the key that signs user JWTs now. */
  userJwtKey(): Promise<Uint8Array>
  /** Every accepted key of both kinds, as RFC 7517 JSON Web Keys. */
  keySet(): Promise<PublicJwk[]>
}

/** A public key as a JSON Web Key (RFC 7517); `kid` is its thumbprint (RFC 7638). */
export interface PublicJwk {
  kty: string
  kid: string
  alg: string
  use: 'sig'
  [member: string]: unknown
}

/** The NFT indexer: who owns what, and its metadata. Calls end by their deadline, and each request within 8 s (D30). */
export interface Indexer {
  /** One page of a wallet's NFTs of at most 45 contracts on one chain; at most 100 NFTs. */
  ownedNfts(query: {
    chain: Chain
    owner: Address
    contracts: readonly Address[]
    pageKey?: string
    deadline: Deadline
  }): Promise<{ nfts: OwnedNft[]; pageKey?: string }>
  /** The metadata of at most 100 NFTs of a contract, in the order asked; `anew`: fetched from its source. */
  metadata(query: {
    contract: ContractKey
    tokenIds: readonly TokenId[]
    anew: boolean
    deadline: Deadline
  }): Promise<IndexedNft[]>
  /** The wallet's balance of an ERC-20 token, in its smallest unit. */
  balance(query: { token: ContractKey; owner: Address; deadline: Deadline }): Promise<bigint>
}

/** The background work queue: at least once, in any order. */
export interface WorkQueue {
  /** `delaySeconds`: not before; 0..900. Unless said, a sweep waits longer than any function runs. */
  send(item: WorkItem, delaySeconds?: number): Promise<void>
}

/** What is known of the refreshes of a contract's metadata, one per product, contract and chain (D31). */
export interface Refreshes {
  /**
   * Begins a refresh and answers it; `undefined` if one was begun for the same connection less than
   * 15 minutes ago. One that was begun but never reported on, because its function died, is in the
   * way for 60 s only.
   */
  begin(productId: ProductId, contract: Contract): Promise<RefreshState | undefined>
  /** Takes back a refresh that came to nothing, so that it can be begun again at once. */
  abandon(productId: ProductId, contract: ContractKey, refreshId: string): Promise<void>
  get(productId: ProductId, contract: ContractKey): Promise<RefreshState | undefined>
  /**
   * Replaces the state `from` by `to`. Answers false, and changes nothing, when the refresh is not
   * (or no longer) at the position of `from`: another delivery of the same work was faster.
   */
  advance(
    productId: ProductId,
    contract: ContractKey,
    from: RefreshState,
    to: RefreshState,
  ): Promise<boolean>
}

/** Reading positions on their way through the caller's hands: authenticated, not secret (D25). */
export interface Cursors {
  seal(place: Place & { expiresAt: Deadline }, tie: CursorTie): Promise<string>
  /**
   * The place that was sealed; `undefined` for a text that was not sealed for this scope. Throws
   * CursorExpired when it has grown too old or the basis is another one by now.
   */
  open(cursor: string, tie: CursorTie): Promise<Place | undefined>
}

/** What a cursor is good for: `scope` must be the same request, `basis` the same state of the data. */
export interface CursorTie {
  scope: readonly string[]
  basis: readonly string[]
}

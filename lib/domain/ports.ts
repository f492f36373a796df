import type { Address } from './address.ts'
import type { Chain } from './chain.ts'
import type { Limit } from './limit.ts'
import type { BindingId, ConnectedContract, Contract, ContractKey } from './nft.ts'
import type { DescribedNft, OwnedNft } from './owned-nft.ts'
import type { Player } from './player.ts'
import type { ApiKey, Product, ProductId } from './product.ts'
import type { EventOutcome, NewEvent, ProductEvent } from './product-event.ts'
import type { EndedKey, KeyId, KeyReference, ProductKey } from './product-key.ts'
import type { ReadingPosition, ReadingProgress } from './reading-position.ts'
import type { RefreshState } from './refresh-state.ts'
import type { StoredProduct } from './stored-product.ts'
import type { Deadline } from './time-budget.ts'
import type { TokenId } from './token-id.ts'
import type { WorkItem } from './work-item.ts'

/**
 * The services that the domain needs. Every method may throw {@link ServiceUnavailable}, and the
 * methods of {@link Indexer} may throw {@link IndexerUnavailable}; no other error is expected.
 */

/** The registered products. */
export interface Products {
  /** Prepares the registration of a product with `apiKey` as its key. Makes no request. */
  prepare(product: Product, apiKey: ApiKey): Registration
  /**
   * Changes fields of a product in one step and returns all of them. `null` removes a field. `undefined`:
   * the product does not exist, or is being deleted (D45).
   */
  update(productId: ProductId, changes: ProductChanges): Promise<Product | undefined>
}

/** The registration of a product in two steps. A crash between them leaves nothing visible (D10). */
export interface Registration {
  productId: ProductId
  keyId: KeyId
  /** Stores the product, which nobody can see yet. */
  store(): Promise<void>
  /** Stores the key, which makes the product visible. */
  storeKey(): Promise<void>
}

/** The fields of a product to change: a field that is absent stays. */
export type ProductChanges = { [Field in keyof Product]?: Product[Field] | null }

/** The API keys, stored as digests only (D9). */
export interface ApiKeys {
  /** The product that a key belongs to. It permits nothing: {@link ProductAccess} says whether the key works. */
  referenceOf(apiKey: ApiKey): Promise<KeyReference | undefined>
}

/** The keys of products. The set of keys of a product changes by one conditional write (D46). */
export interface ProductKeys {
  /** Stores a new key. It permits nothing until {@link change} adds it to its product. */
  store(productId: ProductId, key: ProductKey): Promise<void>
  /**
   * Changes the set of keys in one step. Returns false and changes nothing if the set is not the set of
   * `product` any more, or if the product is being deleted.
   */
  change(product: StoredProduct, change: KeyChange): Promise<boolean>
  /** Stores how a key ends. The record counts as soon as the product does not list the key any more. */
  recordEnd(productId: ProductId, key: EndedKey): Promise<void>
  /** Deletes what is left of a key that has ended, except its record, which is kept for 90 days. */
  cleanUp(productId: ProductId, key: EndedKey): Promise<void>
  /** The records of keys that have ended, in any order. */
  listEnded(productId: ProductId): Promise<EndedKey[]>
  findEnded(productId: ProductId, keyId: KeyId): Promise<EndedKey | undefined>
}

/** A change of the set of keys of a product. */
export interface KeyChange {
  /** Identifies the change, so that a change whose response was lost is recognized. */
  changeId: string
  add?: ProductKey | undefined
  /** A listed key with its new end. */
  limit?: ProductKey | undefined
  remove: readonly KeyId[]
}

/** What the products permit (D46). Reads see every completed write. */
export interface ProductAccess {
  /** With `withCounters`, the counters of the product's limits are read too, if that is possible (D47). */
  get(productId: ProductId, options?: { withCounters: boolean }): Promise<StoredProduct | undefined>
  /**
   * Stores the day on which a key of the product was used, and lists the key of a product from before keys
   * were listed. Makes at most one write for each key and day.
   */
  noteUse(product: StoredProduct, keyId: KeyId): Promise<void>
}

/** The products that the operator of the service has stopped (D45). Calls can be repeated. */
export interface ProductStops {
  /** Stops a product with its next request. Returns undefined if there is no product with this id. */
  stop(productId: ProductId): Promise<ProductStop | undefined>
  /** Ends a stop. Returns undefined if there is no product with this id. */
  start(productId: ProductId): Promise<ProductStop | undefined>
}

/** A product after it was stopped or started. */
export interface ProductStop {
  name: string
  /** False if the product was already in this state. */
  hasChanged: boolean
}

/** What the requests of products spend of their limits (D47). */
export interface ProductUse {
  /** Whether there is a limit, so that the counters of the product are needed. */
  readonly isLimited: boolean
  /** Throws RateLimited if the product has exhausted a limit. The product is read with its counters. */
  permit(product: StoredProduct): Promise<void>
  /** Begins to count a permitted request that allowlists this number of NFTs. Fails for no request. */
  begin(product: StoredProduct, nfts: number): ProductRequest
  /** Counts indexer calls in the background. Fails for no work. */
  add(productId: ProductId, indexerCalls: number): Promise<void>
}

/** A request that is being counted. */
export interface ProductRequest {
  counted: Promise<void>
  /** Notes how many indexer calls the request has made; the next request of the product counts the rest. */
  settle(indexerCalls: number): void
}

/** The contracts connected to a product. Reads see every completed write (D19). */
export interface Contracts {
  /** All contracts, in the order of D18. */
  list(productId: ProductId): Promise<Contract[]>
  get(productId: ProductId, key: ContractKey): Promise<Contract | undefined>
  /** Up to `limit` contracts after `after` with their descriptions, in the order of D18 (D37). */
  describe(
    productId: ProductId,
    range: { after?: ContractKey | undefined; limit: number },
  ): Promise<ConnectedContract[]>
  /** Replaces the description of a connected contract. `undefined`: the contract is not connected (D17). */
  updateDescription(
    productId: ProductId,
    key: ContractKey,
    description: string,
  ): Promise<Contract | undefined>
  /** Makes a new connection. `undefined`: another request has connected the contract meanwhile. */
  connect(
    productId: ProductId,
    key: ContractKey,
    description: string,
  ): Promise<Contract | undefined>
  /** Ends this connection, and no newer connection of the contract. */
  disconnect(productId: ProductId, contract: Contract): Promise<void>
}

/** The changes of each product, newest first, kept for 400 days (D49). */
export interface ProductEvents {
  /** Records that a change begins, and returns the id of its event. */
  begin(productId: ProductId, event: NewEvent): Promise<string>
  /** Records how a change has ended. `count`: replaces the number of NFTs. May be repeated. */
  settle(
    productId: ProductId,
    eventId: string,
    outcome: EventOutcome,
    count?: number,
  ): Promise<void>
  /** Up to `limit` events before the event `after`, newest first. The read sees every completed write. */
  list(
    productId: ProductId,
    range: { after?: string | undefined; limit: number },
  ): Promise<ProductEvent[]>
}

/** The token identifiers allowlisted under each connection of a contract. */
export interface AllowedTokenIds {
  /** Adds the identifiers; safe to repeat and to run concurrently (D17). */
  add(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<void>
  /** Removes the identifiers and returns the number of removed entries. */
  remove(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<number>
  /**
   * Removes many identifiers in batches. Returns the number of entries that existed before, which
   * simultaneous calls can both count (D50).
   */
  removeInBatches(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<number>
  /** Up to `limit` identifiers after `after`, in the order of numbers. */
  list(bindingId: BindingId, range: { after?: TokenId; limit: number }): Promise<TokenId[]>
  /** The number of identifiers after `after`: a lower bound if `until` comes before the end. */
  count(bindingId: BindingId, range: { after?: TokenId; until: Deadline }): Promise<number>
  /** The number of identifiers under each connection, counted up to `atMost` (D37). */
  countEach(bindingIds: readonly BindingId[], atMost: number): Promise<number[]>
  /** Returns the given entries that are allowlisted, in their order; one read for each 100 entries. */
  findAllowed<Entry extends AllowedEntry>(entries: readonly Entry[]): Promise<Entry[]>
  /** Deletes everything under a connection, until `until`; returns whether everything is deleted (D19). */
  sweep(bindingId: BindingId, until: Deadline): Promise<boolean>
}

/** A token identifier under a connection. */
export interface AllowedEntry {
  bindingId: BindingId
  tokenId: TokenId
}

/** The players, as their latest user JWT describes them (D23). */
export interface Players {
  /**
   * Stores the player unless the stored player is from a later user JWT, and counts a player token against
   * the limit, if there is one (D47). `issuedAt`: when the user JWT was issued, seconds since 1970. Throws
   * RateLimited, and InvalidUserJwt if the player was forgotten since (D48); nothing is stored then.
   */
  record(player: Player, issuedAt: number, limit?: Limit | undefined): Promise<void>
  /**
   * The player of a verified player token; `undefined` if nobody is stored, or if the player was forgotten
   * after the token was issued (D48). With limits, the request is judged by the player's counters and counted
   * against them (D47): throws RateLimited.
   */
  get(token: VerifiedPlayerToken, limits?: readonly Limit[]): Promise<Player | undefined>
}

/** Counts registrations against their limits (D47). */
export interface Registrations {
  /** Counts a registration from this source address before it begins. Throws RateLimited. */
  count(sourceAddress: string): Promise<void>
}

/** The user that a verified user JWT is about (D21). */
export interface UserIdentity extends Omit<Player, 'userId'> {
  /** The issuer, and the claim that identifies the user there, as text (D40). */
  issuer: string
  subject: string
  /** When the user JWT was issued, seconds since 1970. */
  issuedAt: number
}

/** The user ids of the platform's users (D41). */
export interface UserIds {
  /** The user id of a subject of an issuer: always the same, and never that of another subject. */
  idOf(user: Pick<UserIdentity, 'issuer' | 'subject'>): Promise<number>
}

/** Verifies the platform's user JWTs; throws {@link InvalidUserJwt} (D21). */
export interface UserJwts {
  verify(userJwt: string): Promise<UserIdentity>
}

/** Makes player tokens (D23). */
export interface PlayerTokenMint {
  /** With a product, the player token is for the game of this product only (D52). */
  mint(userId: number, productId?: ProductId): Promise<string>
}

/** What a verified player token says. */
export interface VerifiedPlayerToken {
  userId: number
  /** When the player token was issued, seconds since 1970. */
  issuedAt: number
  /** The product of the game that the player token is for; absent if it is for every game (D52). */
  productId?: ProductId
}

/** Verifies player tokens; throws InvalidPlayerToken or PlayerTokenExpired (D23). */
export interface PlayerTokens {
  verify(playerToken: string): Promise<VerifiedPlayerToken>
}

/** The public keys of the deployment (D32). */
export interface PublicKeys {
  /** The DER SubjectPublicKeyInfo of the key that currently signs user JWTs. */
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

/**
 * The NFT indexer: the owners of NFTs, and metadata. Calls end by their deadline and within the time
 * of one indexer call (D30).
 */
export interface Indexer {
  /**
   * One page of a wallet's NFTs of at most 45 contracts on one chain; at most 100 NFTs. A page with a
   * page key has the progress of the reading, which the query for the next page passes on, so that pages
   * that contradict each other are noticed (D39). `seen`: the NFTs that earlier pages of the same request
   * returned; the NFTs of this page are added.
   */
  ownedNfts(query: {
    chain: Chain
    owner: Address
    contracts: readonly Address[]
    pageKey?: string
    progress?: ReadingProgress
    seen?: Set<string>
    deadline: Deadline
  }): Promise<{ nfts: OwnedNft[]; pageKey?: string; progress?: ReadingProgress }>
  /**
   * The metadata of at most 100 NFTs of a contract, in the order of `tokenIds`. `fromSource`: the
   * indexer fetches it from its source first.
   */
  metadata(query: {
    contract: ContractKey
    tokenIds: readonly TokenId[]
    fromSource: boolean
    deadline: Deadline
  }): Promise<DescribedNft[]>
  /** The wallet's balance of an ERC-20 token, in its smallest unit. */
  balance(query: { token: ContractKey; owner: Address; deadline: Deadline }): Promise<bigint>
}

/** The background work queue: delivers each item at least once, in any order. */
export interface WorkQueue {
  /** `delaySeconds`: 0..900; by default a sweep is delayed by longer than any function runs. */
  send(item: WorkItem, delaySeconds?: number): Promise<void>
}

/** The refreshes of metadata: one for each product, contract and chain (D31). */
export interface Refreshes {
  /**
   * Starts a refresh and returns its state. `undefined`: a refresh of the same connection started less
   * than 15 minutes ago. A refresh without a report, because its function died, prevents another for
   * 60 s only. The state of the next refresh after one that did not check all NFTs says which NFTs can
   * have changes that nobody has reported (D38).
   */
  start(productId: ProductId, contract: Contract): Promise<RefreshState | undefined>
  /** Marks a started refresh as failed, so that another can start at once. */
  abandon(productId: ProductId, contract: ContractKey, started: RefreshState): Promise<void>
  get(productId: ProductId, contract: ContractKey): Promise<RefreshState | undefined>
  /**
   * Replaces the state `from` by `to`. Returns false and changes nothing if the refresh is not at the
   * position of `from`, because another delivery of the same work item was faster.
   */
  advance(
    productId: ProductId,
    contract: ContractKey,
    from: RefreshState,
    to: RefreshState,
  ): Promise<boolean>
}

/** Cursors: reading positions that the caller keeps between two requests. Authenticated, not secret (D25). */
export interface Cursors {
  seal(position: ReadingPosition & { expiresAt: Deadline }, context: CursorContext): Promise<string>
  /**
   * The sealed position; `undefined` for a text that was not sealed for this scope. Throws CursorExpired
   * if the cursor is too old or the basis has changed.
   */
  open(cursor: string, context: CursorContext): Promise<ReadingPosition | undefined>
}

/** The use of a cursor: `scope` identifies the request, `basis` the state of the data. Both must match. */
export interface CursorContext {
  scope: readonly string[]
  basis: readonly string[]
}

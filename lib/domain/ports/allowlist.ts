import type { RangeLimits } from '../allowlist/allowlist-limits.ts'
import type { TokenId } from '../allowlist/token-id.ts'
import type { TokenRange, TokenRanges } from '../allowlist/token-ranges.ts'
import type {
  BindingId,
  Contract,
  ContractKey,
  ContractWithRanges,
  ListedContract,
} from '../nft/nft.ts'
import type { ProductId } from '../product/product.ts'
import type { Deadline } from '../time-budget.ts'
import type { ProductEvents } from './products.ts'
import type { WebhookSignals } from './webhook-delivery.ts'

/**
 * The contracts connected to a product, each with the ranges of its allowlist (D57). Reads see every completed write
 * (D19).
 */
export interface Contracts {
  /** All contracts, in the order of D18. */
  list(productId: ProductId): Promise<ContractWithRanges[]>
  get(productId: ProductId, key: ContractKey): Promise<ContractWithRanges | undefined>
  /** Up to `limit` contracts after `after`, in the order of D18 (D37). */
  page(
    productId: ProductId,
    range: { after?: ContractKey | undefined; limit: number },
  ): Promise<ListedContract[]>
  /** The descriptions of at most 100 contracts, in their order; empty for a contract without one. */
  descriptions(contracts: readonly ListedContract[]): Promise<string[]>
  describe(contract: Contract, description: string): Promise<void>
  /** Makes a new connection. `undefined`: another request has connected the contract meanwhile. */
  connect(
    productId: ProductId,
    key: ContractKey,
    ranges: TokenRanges,
  ): Promise<ContractWithRanges | undefined>
  /** Replaces the ranges. `undefined`: they have changed since `contract` was read, or the connection has ended. */
  replaceRanges(
    productId: ProductId,
    contract: ContractWithRanges,
    ranges: TokenRanges,
  ): Promise<ContractWithRanges | undefined>
  /** Ends this connection, and no newer connection of the contract. */
  disconnect(productId: ProductId, contract: Contract): Promise<void>
}

/** Returns the given entries that are allowlisted, in their order; one read for each 100 entries. */
export type FindAllowed = <Entry extends AllowedEntry>(
  entries: readonly Entry[],
) => Promise<Entry[]>

/** The single token identifiers allowlisted under each connection of a contract. */
export interface AllowedTokenIds {
  /** Adds the identifiers; safe to repeat and to run concurrently (D17). */
  add(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<void>
  /** Removes the identifiers and returns the number of removed entries. */
  remove(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<number>
  /** Removes identifiers in batches. Returns how many existed before, which simultaneous calls can both count (D50). */
  removeInBatches(bindingId: BindingId, tokenIds: readonly TokenId[]): Promise<number>
  /** Up to `limit` identifiers after `after`, in the order of numbers. */
  list(bindingId: BindingId, range: { after?: TokenId; limit: number }): Promise<TokenId[]>
  /** Up to `limit` identifiers of a range, in the order of numbers. */
  listIn(bindingId: BindingId, range: TokenRange, limit: number): Promise<TokenId[]>
  /** The number of identifiers after `after`: a lower bound if `until` comes before the end. */
  count(bindingId: BindingId, range: { after?: TokenId; until: Deadline }): Promise<number>
  /** The number of identifiers under each connection, counted up to `atMost` (D37). */
  countEach(bindingIds: readonly BindingId[], atMost: number): Promise<number[]>
  findAllowed: FindAllowed
  /**
   * Looks up at once, in one request with the other reads of this moment, the entries that this container was last asked for
   * under a name (D96). Returns `findAllowed` for the entries that will be known under the name; it asks only for
   * entries that were not expected.
   */
  expected(name: string): FindAllowed
  /** Deletes everything under a connection, until `until` (D19). */
  sweep(bindingId: BindingId, until: Deadline): Promise<{ isDone: boolean; deleted: number }>
}

/** A token identifier under a connection. */
export interface AllowedEntry {
  bindingId: BindingId
  tokenId: TokenId
}

export interface AllowlistPorts {
  contracts: Contracts
  allowedTokenIds: AllowedTokenIds
  events: ProductEvents
  webhookSignals?: WebhookSignals | undefined
  /** The limits of ranges, if they are not the common limits. */
  limits?: RangeLimits
}

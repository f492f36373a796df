import type { Reservation } from '../limit/reservation.ts'
import type { Wallet } from '../nft/wallet.ts'
import type { ProductId } from '../product/product.ts'
import type { StoredProduct } from '../product/stored-product.ts'

/** What the requests of products spend of their limits (D47). */
export interface ProductUse {
  /** Whether there is a limit, so that the counters of the product are needed. */
  readonly isLimited: boolean
  /**
   * Throws RateLimited if the product, as read with its counters, has exhausted a limit that is judged before the
   * request.
   */
  permit(product: StoredProduct, request: { isClient: boolean }): Promise<void>
  /**
   * Begins the reservation of the indexer calls of a request, which makes no request before its first call (D78).
   * `product`: as the request reads it, with its counters; rejects if the request is refused.
   */
  reserveCalls(
    productId: ProductId,
    product: Promise<StoredProduct>,
    request: Pick<LimitedRequest, 'isClient'>,
  ): Reservation
  /** Counts a permitted request, but not its indexer calls. Fails for no request. */
  count(product: StoredProduct, request: Pick<LimitedRequest, 'nfts'>): Promise<void>
  /** Counts indexer calls in the background. Fails for no work. */
  add(productId: ProductId, indexerCalls: number): Promise<void>
  /** Whether at most half of each limit of indexer calls is spent: work for all products waits otherwise. Throws ServiceUnavailable. */
  hasHalfLeft(productId: ProductId): Promise<boolean>
}

/** A request of a product, as far as the limits depend on it. */
export interface LimitedRequest {
  /** Whether the request comes from a game without an API key (D51). */
  isClient: boolean
  nfts: number
}

/** Counts what people who sign in with wallets spend of the limits (D107). Each method throws RateLimited, and spends nothing then. */
export interface SignInUse {
  /**
   * Reads whether a network, and the deployment, have a valid proof left, and spends nothing. The function that it returns spends it,
   * exactly; it throws RateLimited too, if others have spent it since. Proofs of wallets that are not known have a share (D140).
   */
  permit(network: string, wallet: { isKnown: boolean }): Promise<() => Promise<void>>
  refuse(network: string): Promise<void>
  /**
   * Spends what asking a smart account costs, exactly, before it is asked. The function that it returns gives it back. What a foreign
   * page sends counts apart, and `isKnown` is whether the account has signed in before.
   */
  checkAccount(
    network: string,
    account: Wallet,
    by: { isKnown: boolean; isForeignPage: boolean },
  ): Promise<() => Promise<void>>
  /** Counts a device code that a network asks for, apart if a web page of somebody else can have made it ask (D140). */
  askForDevice(network: string, by: { isForeignPage: boolean }): Promise<void>
  /** Counts a user code that a user enters, before it is looked up. */
  guess(userId: number): Promise<void>
  guessedRight(userId: number): Promise<void>
  guessedWrong(network: string): Promise<void>
}

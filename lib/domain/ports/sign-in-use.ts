import type { Product, ProductId } from '../product/product.ts'

/** Counts what people who sign in with wallets spend of the limits (D107). Each method throws RateLimited, and spends nothing then. */
export interface SignInUse {
  /**
   * Reads whether a network, and the deployment, have a valid proof left, and spends nothing. The function that it returns spends it,
   * exactly; it throws RateLimited too, if others have spent it since. Proofs of wallets that are not known have a share (D140).
   */
  permit(network: string, wallet: { isKnown: boolean }): Promise<() => Promise<void>>
  /** Counts that a proof of a network was refused. */
  refuse(network: string): Promise<void>
  /** Counts a device code that a network asks for, apart if a web page of somebody else can have made it ask (D140). */
  askForDevice(network: string, by: { isForeignPage: boolean }): Promise<void>
  /** Counts a user code that a user enters, before it is looked up. */
  guess(userId: number): Promise<void>
  /** Takes back a guess that was right. */
  guessedRight(userId: number): Promise<void>
  /** Counts a guess that was wrong in the network of the user. */
  guessedWrong(network: string): Promise<void>
}

/** What the operator permits products of sign-in with wallets (D115). */
export interface SignInPermits {
  /**
   * Permits sign-in for the product as the operator has seen it. Returns false, and permits nothing, if its name, its company or its
   * hosts have changed since, or if it is deleted. Safe to repeat.
   */
  permit(productId: ProductId, seen: Product): Promise<boolean>
  /** Takes the permission back, also of a product without one. Returns false if there is no such product. */
  withdraw(productId: ProductId): Promise<boolean>
}

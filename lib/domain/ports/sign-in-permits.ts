import type { Product, ProductId } from '../product/product.ts'

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

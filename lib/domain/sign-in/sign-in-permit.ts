import type { Product } from '../product/product.ts'
import type { StoredProduct } from '../product/stored-product.ts'

/** Whether players can sign in to a game (D106), or wait until the operator permits it (D115). */
export type SignInState = 'ON' | 'WAITING'

/** The rule of a deployment: whether its operator permits each product that signs players in (D115). */
export interface SignInRule {
  needsOperator: boolean
}

/**
 * What an operator permits, as a text: what players see of a game in the messages that they sign and on the page, and the hosts
 * of the game. A change of any of them is not permitted (D115).
 */
export const permitOf = ({ name, companyName, signInDomains = [] }: Product): string =>
  JSON.stringify([name, companyName, signInDomains])

/** What a product with `signIn` has of sign-in; `undefined` for one without. */
export function signInState(
  { product, signInPermit }: Pick<StoredProduct, 'product' | 'signInPermit'>,
  { needsOperator }: SignInRule,
): SignInState | undefined {
  if (product.signIn !== true) return undefined
  return !needsOperator || signInPermit === permitOf(product) ? 'ON' : 'WAITING'
}

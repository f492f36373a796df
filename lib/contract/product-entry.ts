import type * as v from 'valibot'
import type { ShownLimit } from '../domain/limit/limit.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import { type SignInRule, signInState } from '../domain/sign-in/product-sign-in.ts'
import type { productInformation } from './answers.ts'

/**
 * A product as a response shows it: the website has both of its names (D7, D45), and the limits of the product are shown
 * if there are any (D64). With a rule, players sign in with their wallets, and the response says whether they can (D115).
 */
export function productEntry(
  stored: Pick<StoredProduct, 'productId' | 'product' | 'signInPermit'>,
  limits: readonly ShownLimit[],
  rule: SignInRule | undefined,
): v.InferInput<typeof productInformation> {
  const { signIn, signInDomains, ...registration } = stored.product
  return {
    productId: stored.productId,
    ...registration,
    ...(rule && { signIn, signInDomains, signInState: signInState(stored, rule) }),
    websiteLink: registration.website,
    ...(limits.length > 0 && { limits: [...limits] }),
  }
}

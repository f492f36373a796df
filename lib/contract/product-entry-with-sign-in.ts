import type { ShownLimit } from '../domain/limit/limit.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import { type SignInRule, signInState } from '../domain/sign-in/sign-in-permit.ts'
import { productEntry } from './product-entry.ts'

/** A product as a response shows it where players sign in with their wallets: with whether they can (D115). */
export const productEntryWithSignIn = (
  stored: Pick<StoredProduct, 'productId' | 'product' | 'signInPermit'>,
  limits: readonly ShownLimit[],
  rule: SignInRule,
) => ({
  ...productEntry(stored.productId, stored.product, limits),
  signInState: signInState(stored, rule),
})

import * as v from 'valibot'
import type { ShownLimit } from '../domain/limit/limit.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import { type SignInRule, signInState } from '../domain/sign-in/sign-in-permit.ts'
import { productInformation, shownText } from './answers.ts'
import { productEntry } from './product-entry.ts'

/** A product where players sign in with their wallets: with whether they can sign in to its game (D106, D115). */
export function productWithSignIn() {
  const { limits, ...registration } = productInformation.entries
  return v.object({
    ...registration,
    signIn: v.optional(v.boolean()),
    signInDomains: v.optional(v.array(shownText)),
    signInState: v.optional(v.picklist(['ON', 'WAITING'])),
    limits,
  })
}

/** Such a product as a response shows it. */
export const productEntryWithSignIn = (
  stored: Pick<StoredProduct, 'productId' | 'product' | 'signInPermit'>,
  limits: readonly ShownLimit[],
  rule: SignInRule,
) => ({
  ...productEntry(stored.productId, stored.product, limits),
  signInState: signInState(stored, rule),
})

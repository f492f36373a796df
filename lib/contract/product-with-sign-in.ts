import * as v from 'valibot'
import { productInformation, shownText } from './answers.ts'

/** A product where players sign in with their wallets: with whether they can sign in to its game (D106, D115). */
export function productInformationWithSignIn() {
  const { limits, ...registration } = productInformation.entries
  return v.object({
    ...registration,
    signIn: v.optional(v.boolean()),
    signInDomains: v.optional(v.array(shownText)),
    signInState: v.optional(v.picklist(['ON', 'WAITING'])),
    limits,
  })
}

import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { proofFields } from '../../lib/contract/fields/proof.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'

/** D110 */
export const row = {
  id: 'signIn',
  section: 'D110',
  method: 'POST',
  paths: [`${base}/login`],
  auth: 'NONE',
  bySourceAddress: true,
  body: v.object({
    ...proofFields,
    productId: v.optional(productId),
    username: v.optional(text(1, 100)),
  }),
  effect: 'once',
  answer: v.object({
    refreshToken: v.optional(shownText),
    session: v.optional(shownText),
    user: signedInUser,
  }),
  problems: ['service_unavailable'],
} as const satisfies Route

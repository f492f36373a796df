import * as v from 'valibot'
import { shownText, shownWholeNumber } from '../../lib/contract/answers.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { string, wellFormed } from '../../lib/contract/fields/rules.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D110 */
export const row = {
  id: 'signIn',
  section: 'D110',
  method: 'POST',
  paths: [`${base}/login`],
  auth: 'NONE',
  bySourceAddress: true,
  body: v.object({
    message: v.pipe(string(), wellFormed),
    signature: string(),
    productId,
    username: v.optional(text(1, 100)),
  }),
  effect: 'once',
  answer: v.object({
    refreshToken: shownText,
    user: v.object({ userId: shownWholeNumber, username: shownText }),
  }),
  problems: ['service_unavailable'],
} as const satisfies Route

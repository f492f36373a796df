import * as v from 'valibot'
import { shownText, time } from '../../lib/contract/answers.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112 */
export const row = {
  id: 'getGames',
  section: 'D112',
  method: 'GET',
  paths: [`${base}/login/user/games`],
  auth: 'SESSION',
  answer: v.array(
    v.object({
      productId: shownText,
      name: v.nullable(shownText),
      companyName: v.nullable(shownText),
      until: time,
    }),
  ),
  problems: ['service_unavailable'],
} as const satisfies Route

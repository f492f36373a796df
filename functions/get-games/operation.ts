import * as v from 'valibot'
import { shownText, time } from '../../lib/contract/answers.ts'
import { example } from '../../lib/contract/documentation/examples.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { describedObject } from '../../lib/contract/documentation/schema-documentation.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112 */
export const row = {
  id: 'getGames',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'GET',
  paths: [`${base}/login/user/games`],
  auth: 'SESSION',
  shifted: true,
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

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = { each: { Query: 1, GetItem: 2 }, units: { read: 3 } }

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get games with access',
  description:
    'Returns the games that can get player tokens of the user, and until when they can without a new signature.',
  answers: {
    games: {
      summary: 'One game',
      value: {
        data: [
          {
            productId: example.productId,
            name: 'Lanterns of Brindlewake',
            companyName: 'Gull Harbour Games',
            until: '2026-12-27T10:00:00.000Z',
          },
        ],
      },
    },
  },
  schemas: {
    GameWithAccess: describedObject(row.answer.item, 'A game that can get player tokens.', {
      productId: 'Its `productId`.',
      name: 'Its name. `null`: the product was deleted.',
      companyName: 'Its company. `null`: the product was deleted.',
      until: 'When its access ends.',
    }),
  },
})

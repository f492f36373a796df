import * as v from 'valibot'
import { shownText, time } from '../../lib/contract/answers.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

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
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1, GetItem: 2 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get games with access',
  description:
    'Returns the games that can get player tokens of the user, and until when they can without a new signature.',
  answers: {
    games: {
      summary: 'One game',
      value: [
        {
          productId: example.productId,
          name: 'Lanterns of Brindlewake',
          companyName: 'Gull Harbour Games',
          until: '2026-12-27T10:00:00.000Z',
        },
      ],
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

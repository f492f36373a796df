import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import { type Documentation, example } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'endAccess',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'DELETE',
  paths: [`${base}/login/user/games/{productId}`],
  pathParameters: ['productId'],
  auth: 'SESSION',
  shifted: true,
  answer: confirmation,
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1, DeleteItem: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'End access of a game',
  description:
    'Ends the access of one game: it gets no more player tokens of the user. Its last player token is valid until it expires. A game without access has none afterwards too.',
  pathParameters: {
    productId: { description: 'The game.', example: example.productId },
  },
  answers: {
    done: {
      summary: 'Done',
      value: { message: 'The game gets no more player tokens.' },
    },
  },
  schemas: { Confirmation: confirmationSchema },
})

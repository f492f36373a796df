import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import {
  exampleUser,
  missingSignature,
  proofMeaning,
  proofRequests,
  signInExample,
  userSchemas,
} from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { nameText } from '../../lib/contract/fields/texts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/sign-in-entries.ts'
import { limitsOfProofs, proofFields, proofProblems } from '../../lib/contract/wallet-proof.ts'

export const row = {
  id: 'signIn',
  section: 'D110',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/login`],
  auth: 'NONE',
  bySourceAddress: true,
  bySendingPage: true,
  body: v.object({
    ...proofFields,
    productId: v.optional(productId),
    username: v.optional(nameText(1, 100)),
  }),
  effect: 'once',
  shifted: true,
  answer: v.object({
    refreshToken: v.optional(shownText),
    session: v.optional(shownText),
    user: signedInUser,
  }),
  problems: ['service_unavailable', 'invalid_client', ...proofProblems],
  limits: limitsOfProofs,
} as const satisfies Route

export const requests: OperationRequests = {
  // The product, the owner of the wallet before and after the proof is used up, and a new user with the list of wallets.
  each: { GetItem: 8, Query: 1, PutItem: 4, UpdateItem: 3 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Sign in',
  description:
    'Signs a player in with a message that a wallet has signed. With `productId`, the answer has a refresh token for this game, from which Create token makes player tokens for 30 days. Without it, the answer has a session for the page of the deployment, for an hour. The first sign-in of a wallet begins a new user.',
  requests: {
    game: {
      summary: 'To a game',
      value: { ...proofRequests.proof.value, productId: example.productId },
    },
    page: {
      summary: 'On the page, with a new name',
      value: { ...proofRequests.proof.value, username: 'tessaly_vane' },
    },
  },
  answers: {
    game: {
      summary: 'To a game',
      value: { refreshToken: signInExample.refreshToken, user: exampleUser },
    },
    page: {
      summary: 'On the page',
      value: { session: signInExample.session, user: exampleUser },
    },
  },
  invalidRequest: missingSignature,
  schemas: {
    Proof: describedObject(row.body, 'A signed message, and what it signs in to.', {
      ...proofMeaning,
      productId: 'The game, as in the message. Absent: the page.',
      username:
        'The name of the user from now on. With `productId`, only of a user who has none yet: a game cannot change a name.',
    }),
    SignedIn: describedObject(row.answer, 'A sign-in.', {
      refreshToken: 'With `productId`: a token for Create token.',
      session: 'Without `productId`: the credential of the page.',
      user: 'The user.',
    }),
    ...userSchemas,
  },
})

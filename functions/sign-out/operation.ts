import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'signOut',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/login/sign-out`],
  auth: 'SESSION',
  shifted: true,
  answer: confirmation,
} as const satisfies Route

export const requests: OperationRequests = {
  // The session is deleted.
  each: { Query: 2, UpdateItem: 1, BatchWriteItem: 1 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Sign out everywhere',
  description:
    'Ends all sessions and refresh tokens of the user. Player tokens that were issued before are refused here from the next request on. A game server that verifies player tokens itself accepts them until they expire.',
  answers: {
    done: { summary: 'Done', value: { message: 'You are signed out everywhere.' } },
  },
  schemas: { Confirmation: confirmationSchema },
})

import { exampleUser, userSchemas } from '../../lib/contract/documentation/sign-in.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/sign-in-entries.ts'

export const row = {
  id: 'getSignedInUser',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'GET',
  paths: [`${base}/login/user`],
  auth: 'SESSION',
  shifted: true,
  answer: signedInUser,
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get signed-in user',
  description: 'Returns the user of the session, with the wallets of the user.',
  answers: { user: { summary: 'The user', value: exampleUser } },
  schemas: userSchemas,
})

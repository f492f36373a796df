import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { exampleUser, userSchemas } from '../../lib/contract/documentation/sign-in.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'

/** D111 */
export const row = {
  id: 'getSignedInUser',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'GET',
  paths: [`${base}/login/user`],
  auth: 'SESSION',
  shifted: true,
  answer: signedInUser,
  problems: ['service_unavailable'],
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = { each: { GetItem: 1 }, units: { read: 1 } }

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get signed-in user',
  description: 'Returns the user of the session, with the wallets of the user.',
  answers: { user: { summary: 'The user', value: { data: exampleUser } } },
  schemas: userSchemas,
})

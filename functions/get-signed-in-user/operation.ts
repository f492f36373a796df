import { base, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'

/** D111 */
export const row = {
  id: 'getSignedInUser',
  section: 'D111',
  method: 'GET',
  paths: [`${base}/login/user`],
  auth: 'SESSION',
  answer: signedInUser,
  problems: ['service_unavailable'],
} as const satisfies Route

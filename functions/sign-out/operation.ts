import { confirmation } from '../../lib/contract/answers.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D111 */
export const row = {
  id: 'signOut',
  section: 'D111',
  method: 'POST',
  paths: [`${base}/login/sign-out`],
  auth: 'SESSION',
  answer: confirmation,
  problems: ['service_unavailable'],
} as const satisfies Route

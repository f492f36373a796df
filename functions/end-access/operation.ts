import { confirmation } from '../../lib/contract/answers.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112 */
export const row = {
  id: 'endAccess',
  section: 'D112',
  method: 'DELETE',
  paths: [`${base}/login/user/games/{productId}`],
  pathParameters: ['productId'],
  auth: 'SESSION',
  answer: confirmation,
  problems: ['service_unavailable'],
} as const satisfies Route

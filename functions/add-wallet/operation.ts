import * as v from 'valibot'
import { proofFields } from '../../lib/contract/fields/proof.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'

/** D111 */
export const row = {
  id: 'addWallet',
  section: 'D111',
  method: 'POST',
  paths: [`${base}/login/user/wallets`],
  auth: 'SESSION',
  bySourceAddress: true,
  body: v.object(proofFields),
  effect: 'once',
  answer: signedInUser,
  problems: ['service_unavailable'],
} as const satisfies Route

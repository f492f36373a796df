import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import {
  exampleUser,
  missingSignature,
  proofRequests,
  userSchemas,
  walletProofSchema,
} from '../../lib/contract/documentation/sign-in.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { limitsOfProofs, proofProblems } from '../../lib/contract/sign-in-problems.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'
import { walletProof } from '../../lib/contract/wallet-proof.ts'

/** D111 */
export const row = {
  id: 'addWallet',
  section: 'D111',
  method: 'POST',
  paths: [`${base}/login/user/wallets`],
  auth: 'SESSION',
  bySourceAddress: true,
  body: walletProof,
  effect: 'once',
  answer: signedInUser,
  problems: ['service_unavailable'],
  limits: limitsOfProofs,
  signInProblems: [...proofProblems, 'wallet_of_another_user', 'too_many_wallets'],
} as const satisfies Route

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Add wallet',
  description:
    'Adds the wallet that has signed the message to the user of the session. The message was asked for with `link`, or with `move`: then the wallet leaves the user who has it, and a user who has no other wallet ends as forgotten. Repeat it with a new message.',
  requests: proofRequests,
  answers: { user: { summary: 'The user with the wallet', value: { data: exampleUser } } },
  invalidRequest: missingSignature,
  schemas: {
    WalletProof: walletProofSchema,
    ...userSchemas,
  },
})

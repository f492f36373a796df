import { example } from '../../lib/contract/documentation/examples.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import {
  exampleUser,
  missingSignature,
  proofRequests,
  userSchemas,
  walletProofSchema,
} from '../../lib/contract/documentation/sign-in.ts'
import { limitsOfProofs, proofProblems } from '../../lib/contract/proof-problems.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/signed-in-user.ts'
import { walletProof } from '../../lib/contract/wallet-proof.ts'

/** D111 */
export const row = {
  id: 'removeWallet',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'DELETE',
  paths: [`${base}/login/user/wallets/{address}`],
  pathParameters: ['address'],
  auth: 'SESSION',
  bySourceAddress: true,
  bySendingPage: true,
  body: walletProof,
  shifted: true,
  answer: signedInUser,
  problems: [
    'service_unavailable',
    ...proofProblems,
    'proof_of_newer_wallet',
    'no_such_wallet',
    'last_wallet',
  ],
  limits: limitsOfProofs,
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = {
  each: { GetItem: 6, Query: 2, PutItem: 1, UpdateItem: 2 },
  units: { read: 8, write: 3 },
}

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Remove wallet',
  description:
    'Removes a wallet of the user of the session, with a message that was asked for with `remove` and signed by this wallet, or by one that the user has had for longer. What the wallet has begun ends: its sessions, and the access of games. Send the proof in the body.',
  pathParameters: {
    address: { description: 'The wallet.', example: example.wallets.hot },
  },
  requests: proofRequests,
  answers: { user: { summary: 'The user without the wallet', value: { data: exampleUser } } },
  invalidRequest: missingSignature,
  schemas: {
    WalletProof: walletProofSchema,
    ...userSchemas,
  },
})

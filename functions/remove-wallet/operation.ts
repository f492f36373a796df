import * as v from 'valibot'
import {
  exampleUser,
  missingSignature,
  proofRequests,
  userSchemas,
  walletProofSchema,
} from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, example } from '../../lib/contract/documentation.ts'
import { chain } from '../../lib/contract/fields/nfts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/sign-in-entries.ts'
import { limitsOfProofs, proofProblems, walletProof } from '../../lib/contract/wallet-proof.ts'

export const row = {
  id: 'removeWallet',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'DELETE',
  paths: [`${base}/login/user/wallets/{address}`],
  pathParameters: ['address'],
  query: v.object({ chain: v.optional(chain()) }),
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

export const requests: OperationRequests = {
  each: { GetItem: 6, Query: 2, PutItem: 1, UpdateItem: 2 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Remove wallet',
  description:
    'Removes a wallet of the user of the session, with a message that was asked for with `remove` and signed by this wallet, or by one that the user has had for longer. What the wallet has begun ends: its sessions, and the access of games. Send the proof in the body.',
  pathParameters: {
    address: { description: 'The wallet.', example: example.wallets.hot },
  },
  parameters: {
    chain: {
      description:
        'The chain of the wallet, as the list of the user shows it. Absent: the wallet that counts on all chains.',
      example: 'POLYGON',
    },
  },
  requests: proofRequests,
  answers: { user: { summary: 'The user without the wallet', value: exampleUser } },
  invalidRequest: missingSignature,
  schemas: {
    WalletProof: walletProofSchema,
    ...userSchemas,
  },
})

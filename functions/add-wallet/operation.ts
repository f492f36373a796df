import * as v from 'valibot'
import {
  exampleUser,
  proofMeaning,
  proofRequests,
  userSchemas,
} from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { signedInUser } from '../../lib/contract/sign-in-entries.ts'
import { limitsOfProofs, proofFields, proofProblems } from '../../lib/contract/wallet-proof.ts'

export const row = {
  id: 'addWallet',
  section: 'D111',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/login/user/wallets`],
  auth: 'SESSION',
  bySourceAddress: true,
  bySendingPage: true,
  body: v.object({ ...proofFields, consent: v.object(proofFields, 'must be a JSON object') }),
  effect: 'once',
  shifted: true,
  answer: signedInUser,
  problems: [
    'service_unavailable',
    ...proofProblems,
    'consent_of_other_wallet',
    'wallet_of_another_user',
    'too_many_wallets',
  ],
  limits: limitsOfProofs,
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 7, PutItem: 2, UpdateItem: 3 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Add wallet',
  description:
    'Adds the wallet that has signed the message to the user of the session, if another wallet, which the user has already, has signed the consent. The message was asked for with `link`, or with `move`: then the wallet leaves the user who has it, and a user who has no other wallet ends as forgotten. The consent was asked for with `consent`. Repeat it with new messages. After `wallet_of_another_user`, the same consent can be sent with a message that was asked for with `move`.',
  requests: {
    addition: {
      summary: 'What both wallets have signed',
      value: { ...proofRequests.proof.value, consent: proofRequests.proof.value },
    },
  },
  answers: { user: { summary: 'The user with the wallet', value: exampleUser } },
  invalidRequest: {
    summary: 'No consent',
    sent: { body: proofRequests.proof.value },
    faults: { consent: 'is required' },
  },
  schemas: {
    WalletAddition: describedObject(row.body, 'A wallet to add, and the consent of another one.', {
      ...proofMeaning,
      consent: 'What a wallet has signed that the user has already, and is not the one to add.',
    }),
    WalletConsent: describedObject(
      row.body.entries.consent,
      'A message to consent to a wallet, and its signature.',
      proofMeaning,
    ),
    ...userSchemas,
  },
})

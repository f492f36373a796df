import * as v from 'valibot'
import { shownText, time } from '../../lib/contract/answers.ts'
import { signInExample } from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress } from '../../lib/contract/fields/nfts.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import type { OperationRequests } from '../../lib/contract/route.ts'
import { base, type OpenChains, type Route } from '../../lib/contract/route.ts'
import { chainsOpenByDefault } from '../../lib/domain/nft/chain.ts'

const yes = v.optional(v.boolean('must be true or false'))

/** Also a chain that is not open any more. */
const anyChain = chain()

const requestOn = (openChains: OpenChains) =>
  v.object({
    address: contractAddress,
    chain: chain(openChains),
    productId: v.optional(productId),
    domain: v.optional(text(1, 259)),
    link: yes,
    move: yes,
    consent: v.optional(contractAddress),
    consentChain: v.optional(anyChain),
    remove: v.optional(contractAddress),
    removeChain: v.optional(anyChain),
  })

/** D110, D111 */
export const row = {
  id: 'createSignInMessage',
  section: 'D110',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/login/message`],
  auth: 'SESSION',
  isSessionOptional: true,
  body: Object.assign(requestOn(chainsOpenByDefault), { withOpenChains: requestOn }),
  effect: 'repeatable',
  shifted: true,
  answer: v.object({ message: shownText, expiresAt: time }),
  problems: ['service_unavailable', 'invalid_client'],
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Create sign-in message',
  description:
    'Writes the message (ERC-4361) that a wallet signs, for one purpose: to sign in to the game of `productId`, or without it to sign in on the page of the deployment; with a session, to add a wallet (`link`), to move it from another user (`move`), to consent to another wallet that is added or moved (`consent`), or to remove one (`remove`). Stores nothing. The message can be used for 5 minutes, once.',
  requests: {
    game: {
      summary: 'To sign in to a game',
      value: {
        address: signInExample.address,
        chain: 'POLYGON',
        productId: example.productId,
        domain: 'play.brindlewake.example',
      },
    },
    page: {
      summary: 'To sign in on the page',
      value: { address: signInExample.address, chain: 'POLYGON' },
    },
  },
  answers: {
    message: {
      summary: 'The message',
      value: { message: signInExample.message, expiresAt: signInExample.expiresAt },
    },
  },
  invalidRequest: {
    summary: 'No address',
    sent: { body: { chain: 'POLYGON' } },
    faults: { address: 'is required' },
  },
  schemas: {
    SignInMessageRequest: describedObject(row.body, 'What a message is asked for.', {
      address: 'The wallet that will sign.',
      chain:
        'A chain that the deployment opens. A smart account signs on this chain; for any other wallet, it only names the chain in the message.',
      productId: 'The game to sign in to. Absent: the page of the deployment.',
      domain:
        'The host at which the player signs in: one of the `signInDomains` of the product, required if it has several; without `productId`, that of the page.',
      link: 'With a session: whether the message adds the wallet to the user.',
      move: 'With a session: whether the message moves the wallet from another user, if one has it.',
      consent:
        'With a session: the wallet that is to be added to the user, or moved. `address` is another one then, which the user has already.',
      consentChain:
        'With `consent`: the chain of the message that the other wallet signs. Required if that wallet is a smart account.',
      remove: 'With a session: the wallet of the user that the message removes.',
      removeChain:
        'With `remove`: the chain of the wallet, as the list of the user shows it. Absent: the wallet that counts on all chains.',
    }),
    SignInMessage: describedObject(row.answer, 'A message to sign.', {
      message: 'The message. The wallet signs exactly this text.',
      expiresAt: 'When it can be used no more.',
    }),
  },
})

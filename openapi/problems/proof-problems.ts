import type { ProblemEntry } from './problem-entry.ts'

const again = 'Ask for a new message, and have it signed.'

/**
 * What a caller sends who proves nothing: a message that a wallet has signed. No scheme of HTTP's registry is that (RFC 9110,
 * section 16.4.1), and `Bearer` would say that a session is not valid.
 */
const proof = 'Wallet'

/** The problems of a message that a wallet has signed (D97). */
export const proofProblems = {
  message_too_large: {
    status: 400,
    title: 'The message or its signature is too large',
    description:
      'The message has more than 4,096 characters, or the signature more than 16,384. No message of the service has.',
    detail: 'The message has more than 4,096 characters, or the signature has more than 16,384.',
  },
  message_malformed: {
    status: 400,
    title: 'The message does not have the form of this service',
    description: `The message does not have the form of this service. Send it exactly as it was returned, and sign no message of your own. ${again}`,
    detail:
      'The message is not one of this service. Ask for one with POST /api/public/v1/login/message, and send it unchanged.',
  },
  signature_malformed: {
    status: 400,
    title: 'The signature does not have the form of one',
    description: 'The signature is not `0x` and the hexadecimal digits of 64 or 65 bytes.',
    detail: 'The signature must be 0x and 130 or 128 hexadecimal digits.',
    connect: [
      'This wallet signs in a way that does not work here yet.',
      'Sign in with another wallet.',
    ],
  },
  message_not_of_this_service: {
    status: 401,
    title: 'This service has not written the message',
    challenge: proof,
    description: `This deployment has not written the message. ${again}`,
    detail:
      'This service has not written the message. Ask for one with POST /api/public/v1/login/message, and send it unchanged.',
  },
  message_issued_in_the_future: {
    status: 401,
    title: 'The message is of the future',
    challenge: proof,
    description: `The message says that it was written later than now. ${again}`,
    detail: 'The message is of the future.',
  },
  message_expired: {
    status: 401,
    title: 'The message has expired',
    challenge: proof,
    description: `The message is older than 5 minutes. ${again}`,
    detail: 'The message has expired; ask for a new one.',
    connect: ['You took a little too long to sign.', 'Try again, and sign within 5 minutes.'],
  },
  domain_not_permitted: {
    status: 401,
    title: 'Nobody signs in at the host of the message',
    challenge: proof,
    description:
      'Players do not sign in at the host of the message: it is none of the `signInDomains` of the product, or not the page.',
    detail: 'Players do not sign in at the host of the message.',
  },
  chain_not_open: {
    status: 401,
    title: 'The chain of the message is not open',
    challenge: proof,
    description: 'The chain of the message is not one that the deployment opens.',
    detail: 'The chain of the message is not open in this service.',
  },
  message_for_another_purpose: {
    status: 401,
    title: 'The message is for something else',
    challenge: proof,
    description: `The message was written for something else: another game, or another purpose. ${again}`,
    detail: 'The message was written for something else; ask for one for this.',
  },
  signature_not_of_address: {
    status: 401,
    title: 'The signature is not of the address',
    challenge: proof,
    description:
      'The key of the address has not signed the message. A smart account, which has no key, cannot sign in yet.',
    detail: 'The signature is not of the key of this address. Smart accounts cannot sign in.',
    connect: [
      'This wallet signs in a way that does not work here yet.',
      'It may be a smart account. Sign in with a wallet that has a key of its own.',
    ],
  },
  message_already_used: {
    status: 401,
    title: 'The message was used before',
    challenge: proof,
    description: `The message was used before: each counts once. ${again}`,
    detail: 'The message was used before; ask for a new one.',
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>

import type { ProblemEntry } from './problem-entry.ts'

const again = 'Ask for a new message, and have it signed.'

/**
 * What a caller sends who proves nothing: a message that a wallet has signed, for which HTTP has no scheme (RFC 9110).
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
    description:
      'The signature is not `0x` and the hexadecimal digits of 1 to 8,191 whole bytes; where smart accounts do not sign in, of 64 or 65 bytes.',
    detail: 'The signature must be 0x and the hexadecimal digits of 1 to 8,191 whole bytes.',
    connect: [
      'This wallet signs in a way that does not work here.',
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
      'The key of the address has not signed the message, and no smart account at it on the chain of the message has accepted the signature. An account that cannot be read, or answers anything but yes, has not.',
    detail: 'The signature is not of the key of this address, and no smart account accepts it.',
    connect: [
      'This signature does not belong to this wallet.',
      'Choose the wallet again, and sign with it. If it is a smart account, look whether it is on the chain of the message.',
    ],
  },
  no_account_on_chain: {
    status: 401,
    title: 'There is no smart account at the address on this chain',
    challenge: proof,
    description:
      'The key of the address has not signed the message, and the address has no code on the chain of the message. Ask for a message for the chain on which the account is. An account that is not deployed yet signs as ERC-6492 says.',
    detail:
      'The signature is not of the key of this address, and there is no smart account at it on the chain of the message.',
    connect: [
      'This wallet is not on this chain.',
      'Switch your wallet to a chain that you have used it on, and try again.',
    ],
  },
  message_already_used: {
    status: 401,
    title: 'The message was used before',
    challenge: proof,
    description: `The message was used before: each counts once. ${again}`,
    detail: 'The message was used before; ask for a new one.',
  },
  chain_unavailable: {
    status: 503,
    title: 'The smart account cannot be asked now',
    description:
      'The smart account cannot be asked whether it accepts the signature, because its chain does not answer as it should. The message is not used up. Send the same again after `Retry-After` seconds.',
    detail:
      'The chain of the message does not answer as it should at the moment; try again shortly.',
    connect: ['The chain of your wallet does not answer at the moment.', 'Try again in a minute.'],
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>

import type { SignInProblemCode } from '../../lib/contract/sign-in-problems.ts'
import type { ProblemDocumentation } from './problem-documentation.ts'

const again = 'Ask for a new message, and have it signed.'

/** The prose and an example of each problem of sign-in with wallets (D110). */
export const signInProblemDocumentation: Record<SignInProblemCode, ProblemDocumentation> = {
  message_too_large: {
    description:
      'The message has more than 4,096 characters, or the signature more than 16,384. No message of the service has.',
    detail: 'The message may have at most 4096 characters, and the signature 16384.',
  },
  message_malformed: {
    description: `The message does not have the form of this service. Send it exactly as it was returned, and sign no message of your own. ${again}`,
    detail: 'Ask for the message with POST /login/message, and send it back unchanged.',
  },
  signature_malformed: {
    description: 'The signature is not `0x` and the hexadecimal digits of 64 or 65 bytes.',
    detail: 'The signature must be 0x and 128 or 130 hexadecimal digits.',
  },
  invalid_client: {
    description:
      'The product does not exist, is stopped, or does not sign players in: its studio sets `signIn`, and where the operator must permit it, that is missing.',
    detail: 'No product with this id signs players in.',
  },
  invalid_grant: {
    description:
      'The refresh token is not valid any more: it is older than 30 days, was replaced, or the player has signed out. Or the device code is unknown, or its tokens were given out. Let the player sign in again.',
    detail: 'The refresh token or the device code is not valid any more.',
  },
  unsupported_grant_type: {
    description: 'The `grant_type` is not one of those that Create token takes.',
    detail: 'The grant type is not supported.',
  },
  authorization_pending: {
    description: 'The player has not decided yet. Ask again after `interval` seconds.',
    detail: 'The user has not decided yet.',
  },
  slow_down: {
    description:
      'The game has asked too early. Wait 5 seconds longer between two polls from now on.',
    detail: 'The game has asked too early; wait longer.',
  },
  access_denied: {
    description: 'The player has denied the access.',
    detail: 'The user has denied the access.',
  },
  expired_token: {
    description: 'The device code has expired. Begin again with Authorize device.',
    detail: 'The device code has expired.',
  },
  client_authentication_failed: {
    description:
      'The header `Authorization` names a product with a password, or another one than `client_id`. Games have no secret: leave the password empty, or the header away.',
    detail: 'Games have no secret: leave the password of Basic empty.',
  },
  missing_session: {
    description: 'The header `Authorization` has no session: `Bearer <SESSION>`.',
    detail: 'Send the session in the header Authorization, as Bearer <SESSION>.',
  },
  invalid_session: {
    description:
      'The session is not valid: it is older than an hour, its user has signed out, or its wallet was removed. Sign in again.',
    detail: 'The session is not valid any more.',
  },
  message_not_of_this_service: {
    description: `This deployment has not written the message. ${again}`,
    detail: 'The message is not one of this service.',
  },
  message_issued_in_the_future: {
    description: `The message says that it was written later than now. ${again}`,
    detail: 'The message was issued in the future.',
  },
  message_expired: {
    description: `The message is older than 5 minutes. ${again}`,
    detail: 'The message has expired.',
  },
  domain_not_permitted: {
    description:
      'Players do not sign in at the host of the message: it is none of the `signInDomains` of the product, or not the page.',
    detail: 'Players do not sign in at the host of the message.',
  },
  chain_not_open: {
    description: 'The chain of the message is not one that the deployment opens.',
    detail: 'The chain of the message is not open.',
  },
  message_for_another_purpose: {
    description: `The message was written for something else: another game, or another purpose. ${again}`,
    detail: 'The message is for another purpose.',
  },
  signature_not_of_address: {
    description:
      'The key of the address has not signed the message. A smart account, which has no key, cannot sign in yet.',
    detail: 'The signature is not of the key of this address.',
  },
  message_already_used: {
    description: `The message was used before: each counts once. ${again}`,
    detail: 'The message was used before.',
  },
  consent_of_other_wallet: {
    description:
      'The consent was signed by a wallet that the user does not have, or by the one that is to be added. Let a wallet sign that the user has already. A user who has lost all wallets can add none.',
    detail:
      'The consent must be signed by another wallet, which the user has already. A user who has lost all wallets can add none.',
  },
  proof_of_newer_wallet: {
    description:
      'The wallet that has signed was added later than the one that it would remove. Sign with the wallet itself, or with an older one.',
    detail: 'A wallet that was added later cannot remove this one.',
  },
  no_such_wallet: {
    description: 'The user does not have this wallet.',
    detail: 'The user does not have this wallet.',
  },
  unknown_user_code: {
    description:
      'No game asks with this code now. It can be mistyped, or older than 10 minutes. It counts as a guess.',
    detail: 'No game asks with this code.',
  },
  user_code_expired: {
    description: 'The code is older than 10 minutes. The game asks for a new one.',
    detail: 'The code has expired; start again in the game.',
  },
  already_decided: {
    description:
      'The game was approved or denied before, by somebody else or otherwise, or the user has ended its access since. The game asks for a new code.',
    detail: 'Somebody has decided about this code before.',
  },
  wallet_of_another_user: {
    description:
      'Another user has the wallet. Ask for a message with `move`, which moves it to this user.',
    detail: 'Another user has this wallet.',
  },
  too_many_wallets: {
    description: 'A user has at most 20 wallets.',
    detail: 'The user has 20 wallets already.',
  },
  last_wallet: {
    description: 'The only wallet of a user cannot be removed: nobody could sign in any more.',
    detail: 'This is the only wallet of the user.',
  },
}

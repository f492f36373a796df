import type { ProblemEntry } from './problem-entry.ts'

/** The other problems of sign-in with wallets (D110), among them those of OAuth 2.0. */
export const signInProblems = {
  invalid_client: {
    status: 400,
    title: 'The product does not sign players in',
    oauthError: 'invalid_client',
    description:
      'The product does not exist, is stopped, or does not sign players in: its studio sets `signIn`, and where the operator must permit it, that is missing.',
    detail: 'No product with this id signs players in here.',
  },
  invalid_grant: {
    status: 400,
    title: 'The refresh token is not valid',
    oauthError: 'invalid_grant',
    description:
      'The refresh token is not valid any more: it is older than 30 days, was replaced, or the player has signed out. Or the device code is unknown, or its tokens were given out. Let the player sign in again.',
    detail: 'The refresh token or device code is not valid; let the player sign in again.',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'The grant type is not supported',
    oauthError: 'unsupported_grant_type',
    description: 'The `grant_type` is not one of those that Create token takes.',
    detail: 'The grant_type must be refresh_token or urn:ietf:params:oauth:grant-type:device_code.',
  },
  authorization_pending: {
    status: 400,
    title: 'The user has not decided yet',
    oauthError: 'authorization_pending',
    description: 'The player has not decided yet. Ask again after `interval` seconds.',
    detail: 'The user has not decided yet; ask again after the interval.',
  },
  slow_down: {
    status: 400,
    title: 'The game has asked too early',
    oauthError: 'slow_down',
    description:
      'The game has asked too early. Wait 5 seconds longer between two polls from now on.',
    detail: 'Ask no more often than the interval says.',
  },
  access_denied: {
    status: 400,
    title: 'The user has refused',
    oauthError: 'access_denied',
    description: 'The player has denied the access.',
    detail: 'The user has refused.',
  },
  expired_token: {
    status: 400,
    title: 'The device code has expired',
    oauthError: 'expired_token',
    description: 'The device code has expired. Begin again with Authorize device.',
    detail: 'The device code has expired; ask for another one.',
  },
  consent_of_other_wallet: {
    status: 403,
    title: 'The consent is of no wallet that the user has',
    description:
      'The consent was signed by a wallet that the user does not have, or by the one that is to be added. Let a wallet sign that the user has already. A user who has lost all wallets can add none.',
    detail:
      'The consent must be signed by another wallet, which the user has already. A user who has lost all wallets can add none.',
    connect: [
      'You no longer have the wallet that has signed second.',
      'Load this page again, and sign with a wallet that it lists.',
    ],
  },
  proof_of_newer_wallet: {
    status: 403,
    title: 'The proof is of a wallet that was added later',
    description:
      'The wallet that has signed was added later than the one that it would remove. Sign with the wallet itself, or with an older one.',
    detail: 'Sign with the wallet itself, or with one that was added before it.',
    connect: [
      'You signed with a wallet that you added later.',
      'Sign with the wallet itself, or with one that you added before it.',
    ],
  },
  no_such_wallet: {
    status: 404,
    title: 'The user does not have the wallet',
    description: 'The wallet is not one of the user: it may have been removed before.',
    detail: 'The user does not have this wallet.',
    connect: ['You no longer have this wallet.', 'Load this page again.'],
  },
  unknown_user_code: {
    status: 404,
    title: 'No game asks with this code',
    description:
      'No game asks with this code now. It can be mistyped, or older than 10 minutes. It counts as a guess.',
    detail: 'No game asks with this code; check it, or start again in the game.',
    connect: [
      'No game asks with this code.',
      'Compare it with the code that your game shows. A code is valid for 10 minutes.',
    ],
  },
  user_code_expired: {
    status: 409,
    title: 'The code has expired',
    description: 'The code is older than 10 minutes. The game asks for a new one.',
    detail: 'The code has expired; start again in the game.',
    connect: ['This code has expired.', 'Let your game show a new one.'],
  },
  already_decided: {
    status: 409,
    title: 'Somebody has decided before',
    description:
      'The game was approved or denied before, by somebody else or otherwise, or the user has ended its access since. The game asks for a new code.',
    detail: 'The game was approved before.',
    connect: ['Somebody has said yes or no to this code already.', 'Let your game show a new one.'],
  },
  wallet_of_another_user: {
    status: 409,
    title: 'Another user has the wallet',
    description:
      'Another user has the wallet. Ask for a message with `move`, which moves it to this user.',
    detail:
      'Another user has this wallet. Ask for a message with "move": true, to take it from there.',
  },
  too_many_wallets: {
    status: 409,
    title: 'The user has too many wallets',
    description: 'A user has at most 20 wallets.',
    detail: 'A user can have 20 wallets; remove one first.',
    connect: ['You have 20 wallets.', 'That is as many as you can have.'],
  },
  last_wallet: {
    status: 409,
    title: 'The last wallet cannot be removed',
    description: 'The only wallet of a user cannot be removed: nobody could sign in any more.',
    detail: 'This is the last wallet of the user, which cannot be removed.',
    connect: ['This is your only wallet.', 'Add another one first.'],
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>

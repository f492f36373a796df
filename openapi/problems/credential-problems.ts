import type { ProblemEntry } from './problem-entry.ts'

/** The problems of the credentials of a request (D3, D46). */
export const credentialProblems = {
  missing_api_key: {
    status: 401,
    title: 'The API key is missing',
    challenge: 'ApiKey',
    description: 'The header `X-Api-Key` is missing.',
    detail: 'Send the product API key in the header X-Api-Key.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    challenge: 'ApiKey',
    description: 'No product has this API key, or the key has ended.',
    detail: 'The API key in the header X-Api-Key is not known.',
  },
  missing_user_token: {
    status: 401,
    title: 'The user JWT is missing',
    challenge: 'Bearer',
    description: 'The header `Authorization` is missing or is not `Bearer <USER_JWT>`.',
    detail: 'Send the user JWT in the header Authorization, as Bearer <USER_JWT>.',
  },
  invalid_user_token: {
    status: 401,
    title: 'The user JWT is not valid',
    challenge: 'Bearer error="invalid_token"',
    description:
      'The user JWT has expired, is not signed with an accepted key, has another audience or issuer, or lacks a claim. Sign the user in again.',
    detail: 'The user JWT has expired.',
  },
  invalid_player_token: {
    status: 401,
    title: 'The player token is not valid',
    challenge: 'Bearer error="invalid_token"',
    description: 'This service did not issue the player token. Request a new one.',
    detail: 'The player token is not one of this service.',
    dashboard: [
      'The player token is not accepted.',
      'Get a new one from the login of your players.',
    ],
  },
  player_token_expired: {
    status: 401,
    title: 'The player token has expired',
    challenge: 'Bearer error="invalid_token"',
    description: 'The player token is older than 24 hours. Request a new one.',
    detail: 'The player token has expired; ask for a new one.',
    dashboard: ['The player token has expired.', 'Get a new one from the login of your players.'],
  },
  missing_session: {
    status: 401,
    title: 'The session is missing',
    challenge: 'Bearer',
    description: 'The header `Authorization` has no session: `Bearer <SESSION>`.',
    detail: 'Sign in, and send the session in the header Authorization, as Bearer <SESSION>.',
  },
  invalid_session: {
    status: 401,
    title: 'The session is not valid',
    challenge: 'Bearer error="invalid_token"',
    description:
      'The session is not valid: it is older than an hour, its user has signed out, or its wallet was removed. Sign in again.',
    detail: 'The session has ended; sign in again.',
  },
  client_authentication_failed: {
    status: 401,
    title: 'The client is not authenticated',
    challenge: 'Basic',
    oauthError: 'invalid_client',
    description:
      'The header `Authorization` names a product with a password, or another one than `client_id`. Games have no secret: leave the password empty, or the header away.',
    detail: 'Games have no secret: leave the password in the header Authorization empty.',
  },
  product_stopped: {
    status: 403,
    title: 'The product is stopped',
    description:
      'The operator of the service has stopped the product. The API key is valid. Ask the operator for the reason.',
    detail:
      'The operator of this service has stopped this product; ask the operator for the reason.',
    dashboard: [
      'The operator of the service has stopped this game.',
      'Ask the operator for the reason.',
    ],
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key does not permit this operation',
    description:
      'The API key works, but its scope `READ` permits only reading the NFTs of players. Use a key with the scope `MANAGE`.',
    detail: 'This API key has the scope READ; this operation requires a key with the scope MANAGE.',
    dashboard: [
      'This API key can only read the NFTs of players.',
      'Sign in with a key that has the scope Manage.',
    ],
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>

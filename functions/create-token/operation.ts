import * as v from 'valibot'
import { seconds, shownText } from '../../lib/contract/answers.ts'
import { signInExample } from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { string } from '../../lib/contract/fields/rules.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

/** D110: the token endpoint of OAuth 2.0 (RFC 6749, section 3.2). */
export const row = {
  id: 'createToken',
  section: 'D110',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/token`],
  auth: 'NONE',
  oauth: true,
  form: 'bare',
  body: v.object({
    grant_type: string(),
    client_id: v.optional(string()),
    refresh_token: v.optional(string()),
    device_code: v.optional(string()),
  }),
  effect: 'repeatable',
  shifted: true,
  answer: v.object({
    access_token: shownText,
    token_type: v.literal('Bearer'),
    expires_in: seconds,
    refresh_token: shownText,
  }),
  problems: [
    'service_unavailable',
    'client_authentication_failed',
    'invalid_client',
    'invalid_grant',
    'unsupported_grant_type',
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
  ],
  limits: ['player_tokens'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 4, UpdateItem: 1, Sign: 1 },
  first: { GetPublicKey: 1 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Create token',
  description:
    'The token endpoint of OAuth 2.0 (RFC 6749): replaces a refresh token, or the device code of a player who has approved, by a player token and the next refresh token. Each refresh token is used once: keep that of the latest answer. A refresh token that was replaced for longer than a minute ends the access of the game.',
  requests: {
    refresh: {
      summary: 'With a refresh token',
      value: {
        grant_type: 'refresh_token',
        client_id: example.productId,
        refresh_token: signInExample.refreshToken,
      },
    },
    device: {
      summary: 'With a device code',
      value: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: example.productId,
        device_code: signInExample.deviceCode,
      },
    },
  },
  answers: {
    tokens: {
      summary: 'The tokens',
      value: {
        access_token: example.playerToken,
        token_type: 'Bearer',
        expires_in: 86_400,
        refresh_token: signInExample.refreshToken.replace('.0.', '.1.'),
      },
    },
  },
  invalidRequest: {
    summary: 'No grant type',
    sent: { body: { client_id: example.productId } },
    faults: { grant_type: 'is required' },
  },
  schemas: {
    TokenRequest: describedObject(row.body, 'A form.', {
      grant_type: '`refresh_token`, or `urn:ietf:params:oauth:grant-type:device_code`.',
      client_id:
        'The `productId` of the game. It can also be the user of `Authorization: Basic`, with an empty password, and can be absent with a refresh token.',
      refresh_token: 'With `refresh_token`: the latest refresh token.',
      device_code: 'With the device code grant: the device code.',
    }),
    Tokens: describedObject(row.answer, 'The tokens of a game.', {
      access_token: 'A player token for this game, valid for 24 hours.',
      token_type: 'Always `Bearer`.',
      expires_in: 'How long the player token is valid, in seconds.',
      refresh_token: 'The next refresh token.',
    }),
  },
})

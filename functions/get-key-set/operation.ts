import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import type { OperationRequests, Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getKeySet',
  section: 'D32',
  method: 'GET',
  paths: ['/.well-known/jwks.json'],
  auth: 'NONE',
  shifted: true,
  /** The JWK set (RFC 7517 section 5; D32). */
  answer: v.object({
    keys: v.array(
      v.looseObject({ kty: shownText, kid: shownText, alg: shownText, use: v.literal('sig') }),
    ),
  }),
  form: 'bare',
  maxAgeSeconds: 300,
} as const satisfies Route

export const requests: OperationRequests = { each: {}, first: { GetPublicKey: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Keys',
  summary: 'Get key set',
  description:
    'Returns every accepted key, of player tokens and of user JWTs, as a JWK set (RFC 7517) that any JOSE library can use. A new key is published before it signs anything. The keys of a login are left out while they cannot be read, and caches may keep the answer for 10 seconds then; those of player tokens do not depend on a login. To verify player tokens, check `typ` and `aud`: otherwise a user JWT could be accepted as a player token.',
  answers: {
    keys: {
      summary: 'One key of each kind',
      value: { keys: [example.playerTokenKey, example.userJwtKey] },
    },
  },
  schemas: {
    JsonWebKeySet: describedObject(row.answer, 'A JWK set (RFC 7517).', {
      keys: 'Every accepted key.',
    }),
    JsonWebKey: describedObject(row.answer.entries.keys.item, 'A public key as a JWK.', {
      kty: 'Key type, such as `EC`.',
      kid: 'Key id: its RFC 7638 thumbprint. The header of a player token names it.',
      alg: 'The one algorithm it signs with.',
      use: 'Signatures.',
    }),
  },
})

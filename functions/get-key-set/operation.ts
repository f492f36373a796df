import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { example } from '../../lib/contract/documentation/examples.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { describedObject } from '../../lib/contract/documentation/schema-documentation.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import type { Route } from '../../lib/contract/route.ts'

/** The JWK set (RFC 7517 section 5; D32). */
const keySet = v.object({
  keys: v.array(
    v.looseObject({ kty: shownText, kid: shownText, alg: shownText, use: v.literal('sig') }),
  ),
})

/** D32 */
export const row = {
  id: 'getKeySet',
  section: 'D32',
  method: 'GET',
  paths: ['/.well-known/jwks.json'],
  auth: 'NONE',
  shifted: true,
  answer: keySet,
  form: 'bare',
  maxAgeSeconds: 300,
  problems: ['service_unavailable'],
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = { each: {}, first: { GetPublicKey: 1 } }

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
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
    JsonWebKeySet: describedObject(keySet, 'A JWK set (RFC 7517).', {
      keys: 'Every accepted key.',
    }),
    JsonWebKey: describedObject(keySet.entries.keys.item, 'A public key as a JWK.', {
      kty: 'Key type, such as `EC`.',
      kid: 'Key id: its RFC 7638 thumbprint. The header of a player token names it.',
      alg: 'The one algorithm it signs with.',
      use: 'Signatures.',
    }),
  },
})

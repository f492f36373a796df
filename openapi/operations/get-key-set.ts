import { keySet } from '../../lib/contract/answers.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D32 */
export const getKeySet: OperationDocumentation<'getKeySet'> = {
  tag: 'Keys',
  summary: 'Get key set',
  description:
    'Returns every accepted key, of player tokens and of user JWTs, as a JWK set (RFC 7517) that any JOSE library can use. A new key is published before it signs anything. To verify player tokens, check `typ` and `aud`: otherwise a user JWT could be accepted as a player token.',
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
}

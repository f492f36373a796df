import { publicKey } from '../../lib/contract/answers.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.10 */
export const getPublicKey: OperationDocumentation<'getPublicKey'> = {
  tag: 'Keys',
  summary: 'Get public key',
  description:
    'Returns the public key of the key that currently signs user JWTs. To verify tokens, prefer the key set: it has every accepted key and the algorithm of each key.',
  answers: {
    key: {
      summary: 'A P-256 key',
      value: { data: { publicKey: example.publicKey } },
    },
  },
  schemas: {
    PublicKey: describedObject(publicKey, 'The key that signs user JWTs now.', {
      publicKey: 'Base64 of the DER form of its SubjectPublicKeyInfo.',
    }),
  },
}

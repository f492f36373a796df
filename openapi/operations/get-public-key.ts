import { publicKey } from '../../lib/contract/answers.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.10 */
export const getPublicKey: OperationDocumentation<'getPublicKey'> = {
  tag: 'Keys',
  summary: 'Get public key',
  description:
    'Answers the public key that signs user JWTs now. For verifying any token, prefer the key set: it has every accepted key, and says which algorithm each one is for.',
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

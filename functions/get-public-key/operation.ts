import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { example } from '../../lib/contract/documentation/examples.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { describedObject } from '../../lib/contract/documentation/schema-documentation.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** 4.10: base64 of the DER SubjectPublicKeyInfo (D32). */
const publicKey = v.object({ publicKey: v.pipe(shownText, v.base64()) })

/** 4.10 */
export const row = {
  id: 'getPublicKey',
  section: '4.10',
  method: 'GET',
  paths: [`${base}/public-key`],
  auth: 'NONE',
  shifted: true,
  answer: publicKey,
  maxAgeSeconds: 300,
  problems: ['service_unavailable'],
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = { each: {}, first: { GetPublicKey: 1 } }

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Keys',
  summary: 'Get public key',
  description:
    'Returns the public key of the key that currently signs user JWTs; of several logins, that of the first. It has no key of player tokens, and is 503 while the key of the login cannot be read: verify player tokens by the key set, which has every accepted key and the algorithm of each key.',
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
})

import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getPublicKey',
  section: '4.10',
  method: 'GET',
  paths: [`${base}/public-key`],
  auth: 'NONE',
  shifted: true,
  /** 4.10: base64 of the DER SubjectPublicKeyInfo (D32). */
  answer: v.object({ publicKey: v.pipe(shownText, v.base64()) }),
  maxAgeSeconds: 300,
} as const satisfies Route

export const requests: OperationRequests = { each: {}, first: { GetPublicKey: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Keys',
  summary: 'Get public key',
  description:
    'Returns the public key of the key that currently signs user JWTs; of several logins, that of the first. It has no key of player tokens, and is 503 while the key of the login cannot be read: verify player tokens by the key set, which has every accepted key and the algorithm of each key.',
  answers: {
    key: {
      summary: 'A P-256 key',
      value: { publicKey: example.publicKey },
    },
  },
  schemas: {
    PublicKey: describedObject(row.answer, 'The key that signs user JWTs now.', {
      publicKey: 'Base64 of the DER form of its SubjectPublicKeyInfo.',
    }),
  },
})

import { routes } from '../../lib/contract/routes.ts'
import { exampleKey, keyIdParameter } from '../components/listed-key.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D46 */
export const rotateKey: OperationDocumentation<'rotateKey'> = {
  tag: 'Product',
  summary: 'Rotate API key',
  description:
    'Returns a new key with the same label and scope, once. The old key works for `overlapSeconds` more, or until its own end if that is earlier. With `overlapSeconds` 0 the old key ends with the next request: if the response is lost, the new key is lost too, so create a key and end the old one instead if the product has no other key. A repeated rotation makes a further key. The body can be empty.',
  pathParameters: keyIdParameter,
  requests: {
    day: { summary: 'Both keys work for a day', value: {} },
    hour: { summary: 'Both keys work for an hour', value: { overlapSeconds: 3600 } },
  },
  answers: {
    rotated: {
      summary: 'The new key',
      value: { data: { ...exampleKey, apiKey: example.newApiKey } },
    },
  },
  invalidRequest: {
    summary: 'An overlap of more than 30 days',
    sent: { body: { overlapSeconds: 2_592_001 } },
    detail: 'overlapSeconds must be a whole number from 0 to 2592000.',
    errors: [
      {
        in: 'body',
        path: 'overlapSeconds',
        message: 'must be a whole number from 0 to 2592000',
      },
    ],
  },
  schemas: {
    KeyRotation: describedObject(routes.rotateKey.body, 'How an API key is rotated.', {
      overlapSeconds: 'For how long both keys work, in seconds; a day if omitted.',
      expiresAt: 'When the new key ends: a time in the future (RFC 3339). Omitted: it has no end.',
    }),
  },
}

import * as v from 'valibot'
import { newKey } from '../../lib/contract/answers.ts'
import { exampleKey, keyIdParameter } from '../../lib/contract/documentation/listed-key.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { futureTime, wholeNumber } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxOverlapSeconds } from '../../lib/domain/product/product-key.ts'

export const row = {
  id: 'rotateKey',
  section: 'D46',
  method: 'POST',
  paths: [`${base}/product/keys/{keyId}/rotate`],
  auth: 'PRODUCT',
  limits: ['new_keys'],
  pathParameters: ['keyId'],
  body: v.object({
    overlapSeconds: v.optional(wholeNumber(0, maxOverlapSeconds)),
    // Empty text is a fault: a key without an end would be more than was asked for (D133).
    expiresAt: v.exactOptional(futureTime),
  }),
  isBodyOptional: true,
  effect: 'once',
  answer: newKey,
  problems: ['key_not_found', 'key_ended', 'last_key', 'too_many_keys', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { PutItem: 2, UpdateItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
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
      value: { ...exampleKey, apiKey: example.newApiKey },
    },
  },
  invalidRequest: {
    summary: 'An overlap of more than 30 days',
    sent: { body: { overlapSeconds: 2_592_001 } },
    faults: { overlapSeconds: 'must be a whole number from 0 to 2592000' },
  },
  schemas: {
    KeyRotation: describedObject(row.body, 'How an API key is rotated.', {
      overlapSeconds: 'For how long both keys work, in seconds; a day if omitted.',
      expiresAt: 'When the new key ends: a time in the future (RFC 3339). Omitted: it has no end.',
    }),
  },
})

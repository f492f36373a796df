import { listedKey } from '../../lib/contract/answers.ts'
import { exampleKey, keyIdParameter } from '../../lib/contract/documentation/listed-key.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'endKey',
  section: 'D46',
  method: 'DELETE',
  paths: [`${base}/product/keys/{keyId}`],
  auth: 'PRODUCT',
  pathParameters: ['keyId'],
  answer: listedKey,
  problems: ['key_not_found', 'key_ended', 'last_key', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { PutItem: 1, UpdateItem: 2, DeleteItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'End API key',
  description:
    'Ends an API key with the very next request, everywhere. It can be the key of the request. The last key with the scope `MANAGE` and without an end cannot be ended.',
  pathParameters: keyIdParameter,
  answers: {
    ended: {
      summary: 'The key as it is listed from now on',
      value: {
        ...exampleKey,
        lastUsedOn: '2026-01-04',
        endedAt: '2026-01-04T10:00:00.000Z',
        endReason: 'deleted',
      },
    },
  },
})

import * as v from 'valibot'
import { listedKey } from '../../lib/contract/answers.ts'
import { exampleKey, listedKeySchema } from '../../lib/contract/documentation/listed-key.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'listKeys',
  section: 'D46',
  method: 'GET',
  paths: [`${base}/product/keys`],
  auth: 'PRODUCT',
  answer: v.array(listedKey),
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'List API keys',
  description:
    'Lists the API keys of the product, without the keys themselves: first those that work, by their creation, then those that ended in the last 90 days, the latest first.',
  answers: {
    keys: {
      summary: 'A key that works, and a key that was rotated',
      value: [
        { ...exampleKey, lastUsedOn: '2026-01-04' },
        {
          ...exampleKey,
          keyId: 'u1PzC7dRe0Ls',
          last4: 'a7Qe',
          createdAt: '2025-06-01T09:30:00.000Z',
          expiresAt: '2026-01-02T09:30:00.000Z',
          lastUsedOn: '2026-01-01',
          endedAt: '2026-01-02T09:30:00.000Z',
          endReason: 'rotated',
        },
      ],
    },
  },
  schemas: { ListedKey: listedKeySchema },
})

import * as v from 'valibot'
import { newKey } from '../../lib/contract/answers.ts'
import { exampleKey, listedKeyFields } from '../../lib/contract/documentation/listed-key.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { futureTime } from '../../lib/contract/fields/numbers.ts'
import { nameText } from '../../lib/contract/fields/texts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'createKey',
  section: 'D46',
  method: 'POST',
  paths: [`${base}/product/keys`],
  auth: 'PRODUCT',
  limits: ['new_keys'],
  body: v.object({
    label: nameText(2, 100),
    scope: v.picklist(['MANAGE', 'READ'], 'must be MANAGE or READ'),
    // Empty text is a fault: a key without an end would be more than was asked for (D133).
    expiresAt: v.exactOptional(futureTime),
  }),
  effect: 'once',
  answer: newKey,
  problems: ['too_many_keys', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { PutItem: 2, UpdateItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'Create API key',
  description:
    'Adds an API key to the product and returns it, once: only a digest of the key is kept. A key with the scope `READ` permits only reading the NFTs of players. A product can have 50 keys that work. After a lost response, look for the label in the list of keys, end that key and create another.',
  requests: {
    read: { summary: 'A key for game servers', value: { label: 'Game servers', scope: 'READ' } },
    temporary: {
      summary: 'A key with an end',
      value: { label: 'Migration', scope: 'MANAGE', expiresAt: '2099-01-31T12:00:00Z' },
    },
  },
  answers: {
    created: {
      summary: 'The new key',
      value: { ...exampleKey, apiKey: example.newApiKey },
    },
  },
  invalidRequest: {
    summary: 'No label, an unknown scope',
    sent: { body: { scope: 'ADMIN' } },
    faults: { label: 'is required', scope: 'must be MANAGE or READ' },
  },
  schemas: {
    KeyCreation: describedObject(row.body, 'An API key to create.', {
      label: 'What the key is for, without control characters.',
      scope: '`MANAGE` permits everything, `READ` permits reading the NFTs of players.',
      expiresAt: 'When the key ends: a time in the future (RFC 3339). Omitted: it has no end.',
    }),
    NewKey: describedObject(newKey, 'A new API key.', {
      ...listedKeyFields,
      apiKey: 'The API key for the header `X-Api-Key`. It is shown only here: keep it.',
    }),
  },
})

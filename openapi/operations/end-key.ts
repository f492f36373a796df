import { exampleKey, keyIdParameter } from '../components/listed-key.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D46 */
export const endKey: OperationDocumentation<'endKey'> = {
  tag: 'Product',
  summary: 'End API key',
  description:
    'Ends an API key with the very next request, everywhere. It can be the key of the request. The last key with the scope `MANAGE` and without an end cannot be ended.',
  pathParameters: keyIdParameter,
  answers: {
    ended: {
      summary: 'The key as it is listed from now on',
      value: {
        data: {
          ...exampleKey,
          lastUsedOn: '2026-01-04',
          endedAt: '2026-01-04T10:00:00.000Z',
          endReason: 'deleted',
        },
      },
    },
  },
}

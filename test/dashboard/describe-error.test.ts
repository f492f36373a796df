import { expect, test } from 'vitest'
import { apiError, ConnectionError } from '../../clients/typescript/src/errors.ts'
import { describeError } from '../../dashboard/shell/describe-error.ts'

const failed = (status: number, code: string, retryAfterSeconds?: number) =>
  apiError(
    { code, detail: 'What the API says.', operation: 'getProduct', status, requestId: 'r1' },
    {
      headers: new Headers(),
      body: '',
      retryAfterSeconds,
      limit: undefined,
      errors: [{ in: 'body', path: 'website', message: 'must be a URL' }],
    },
  )

test.each([
  [failed(400, 'invalid_request'), 'Some of the values cannot be accepted.'],
  [failed(403, 'insufficient_scope'), 'This API key can only read the NFTs of players.'],
  [failed(409, 'last_key'), 'A product needs at least one key that can manage it.'],
  [failed(429, 'rate_limited'), 'Too many requests for now.'],
  [failed(503, 'indexer_unavailable'), 'The service cannot answer at the moment.'],
  [
    new ConnectionError({
      code: 'connection_failed',
      detail: 'No response.',
      operation: 'getUsage',
    }),
    'The service cannot be reached.',
  ],
  [new TypeError('Failed to fetch'), 'The service cannot be reached.'],
  ['anything', 'Something went wrong.'],
  [undefined, 'Something went wrong.'],
])('%s is described for a person', (error, title) => {
  expect(describeError(error).title).toBe(title)
})

test('keeps what helps to go on', () => {
  expect(describeError(failed(429, 'rate_limited', 12))).toEqual({
    title: 'Too many requests for now.',
    detail: 'What the API says.',
    code: 'rate_limited',
    requestId: 'r1',
    mayHaveTakenEffect: false,
    retryAfterSeconds: 12,
    fields: { website: 'must be a URL' },
  })
})

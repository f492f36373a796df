import { describe, expect, test } from 'vitest'
import { ConnectionError, TimeoutError } from '../../clients/typescript/src/errors.ts'
import { routes } from '../../functions/operations.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { problems } from '../../lib/domain/problems.ts'
import { DashboardError, describeError } from '../shell/describe-error.ts'
import { apiErrorOf } from './api-error.ts'

/** Refused, with a fault of a field. */
const refused: typeof apiErrorOf = (status, code, response) =>
  apiErrorOf(status, code, {
    errors: [{ in: 'body', path: 'website', message: 'must be a URL' }],
    ...response,
  })

const silent = { detail: 'Check the network and baseUrl.', operation: 'getUsage' }
const connection = new ConnectionError({ ...silent, code: 'connection_failed' })

describe('a failure has a sentence of the dashboard and says what to do', () => {
  test.each([
    [connection, 'The service cannot be reached.', 'Check your network and try again.'],
    [new TypeError('Failed to fetch'), 'The service cannot be reached.', 'Check your network'],
    [
      new TimeoutError({ ...silent, code: 'timeout' }),
      'The service did not answer in time.',
      'Try',
    ],
    [
      new TypeError('Failed to fetch dynamically imported module: /assets/keys.js'),
      'A part of the dashboard cannot be loaded.',
      'load the page again',
    ],
    [refused(400, 'invalid_request'), 'Some of the values cannot be accepted.', 'Correct them'],
    [refused(401, 'invalid_api_key'), 'The API key is not accepted.', 'Sign in with another key.'],
    [refused(403, 'gateway_error'), 'The answer does not come from the service.', 'firewall'],
    [refused(200, 'unexpected_answer'), 'The answer does not come from the service.', 'proxy'],
    [refused(413, 'gateway_error'), 'The request is too large.', 'Send a shorter list.'],
    [refused(429, 'gateway_error'), 'Too many requests for now.', 'Wait a moment'],
    [
      refused(429, 'rate_limited', {
        limit: { name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 },
      }),
      'Your game has used up a limit (Indexer calls: 520 a day).',
      'Wait and try again.',
    ],
    [
      refused(429, 'rate_limited', { limit: { name: 'nfts', count: 1_000_000 } }),
      'Your game has reached a limit (NFTs on all allowlists: 1,000,000 in all).',
      'Remove what your game does not need',
    ],
    [refused(502, 'gateway_error'), 'The service cannot answer at the moment.', 'in a minute'],
    [refused(418, 'of_a_later_version'), 'The service has refused this.', 'repeat it'],
    [refused(418, 'constructor'), 'The service has refused this.', 'repeat it'],
    [
      new DashboardError('Another tab sends this list.', 'Go on there.'),
      'Another tab sends this list.',
      'Go on there.',
    ],
    [new TypeError('x is undefined'), 'Something went wrong in the dashboard.', 'Load the page'],
    ['anything', 'Something went wrong in the dashboard.', 'Load the page again.'],
    [undefined, 'Something went wrong in the dashboard.', 'Load the page again.'],
  ])('%s', (error, title, advice) => {
    expect(describeError(error)).toMatchObject({ title, advice: expect.stringContaining(advice) })
  })

  test('without a network, the device is offline', () => {
    expect(describeError(connection, false).title).toBe('Your device is offline.')
    expect(describeError(refused(503, 'service_unavailable'), false).title).not.toContain('offline')
  })

  test('none repeats what the client says to its programmer', () => {
    const silences = ['gateway_error', 'unexpected_answer']
    const statuses = [200, 302, 400, 401, 403, 404, 409, 413, 429, 500, 502, 503, 504]
    const errors = [
      connection,
      ...silences.flatMap((code) => statuses.map((status) => refused(status, code))),
    ]
    for (const error of errors)
      expect(JSON.stringify(describeError(error))).not.toContain('baseUrl')
  })

  test('each problem of the API that a key can meet has one', () => {
    const others = ['invalid_json', 'unsupported_media_type']
    const rows = Object.values<Route>(routes).filter(({ auth }) => auth === 'PRODUCT')
    const codes = new Set(rows.flatMap(problemsOf))
    expect(codes.size).toBeGreaterThan(20)
    for (const code of codes) {
      if (others.includes(code)) continue
      const { title } = describeError(refused(problems[code].status, code))
      expect([code, title]).not.toEqual([code, 'The service has refused this.'])
    }
  })
})

test('keeps what helps to go on', () => {
  const { title, advice, ...facts } = describeError(
    refused(429, 'rate_limited', { retryAfterSeconds: 12 }),
  )
  expect(facts).toEqual({
    code: 'rate_limited',
    requestId: 'r1',
    mayHaveTakenEffect: false,
    retryAfterSeconds: 12,
    fields: { website: 'must be a URL' },
  })
  expect(describeError(refused(400, 'invalid_request')).detail).toBe(
    'Check the network and baseUrl.',
  )
  for (const [status, code] of [
    [503, 'service_unavailable'],
    [401, 'invalid_api_key'],
    [403, 'insufficient_scope'],
  ] as const) {
    expect(describeError(refused(status, code)).detail).toBeUndefined()
  }
  const errors = ['a', 'b'].map((message, at) => ({ in: 'body', path: `tokens.${at}`, message }))
  expect(describeError(refused(400, 'invalid_json', { errors } as never))).toMatchObject({
    detail: 'Check the network and baseUrl.',
    fields: { tokens: 'a' },
  })
})

test('takes nothing for granted in an answer that is not of the service', () => {
  for (const more of [{ errors: ['x'] }, { limit: {} }]) {
    const { title, fields } = describeError(refused(502, 'unexpected_answer', more as never))
    expect([title, fields]).toEqual([expect.any(String), {}])
  }
})

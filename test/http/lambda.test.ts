import { beforeEach, describe, expect, test } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../lib/domain/failures.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import type { AcceptedAge } from '../../lib/domain/reading/freshness.ts'
import { ChainUnavailable } from '../../lib/domain/sign-in/failures.ts'
import { acceptedAgeOf } from '../../lib/http/caller.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import {
  accepted,
  answering,
  capturedLog,
  getRawMetadata,
  goodApiKey,
  invoke,
  throwing,
} from '../support/memory/http-chain.ts'

let log: ReturnType<typeof capturedLog>

beforeEach(() => {
  log = capturedLog()
})

describe('D1: success', () => {
  test('D1, D5: the envelope, and headers that forbid caching', async () => {
    const { statusCode, headers, body } = await invoke(answering, accepted)
    const text = '{"data":[],"success":true,"asOf":"1970-01-01T00:00:00.000Z"}'
    expect([statusCode, body]).toEqual([200, text])
    expect(headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('D26: JSON text of an operation is in the response byte for byte', async () => {
    const text = '[{"10":1,"2":5.0,"__proto__":12345678901234567890, "n":null}]'
    const handler = getRawMetadata(async () => ({ data: new VerbatimJson(text) }))
    const { body = '' } = await invoke(handler, accepted)
    expect(body.startsWith(`{"data":${text},"success":true,`)).toBe(true)
  })
})

describe('D3: the order of checks', () => {
  const bad = 'playerToken=bad&limit=0'

  test.each<[string, ProblemCode, object]>([
    ['no API key', 'missing_api_key', { query: bad }],
    ['an empty API key', 'missing_api_key', { query: bad, headers: { 'x-api-key': '' } }],
    ['no UUID for an API key', 'invalid_api_key', { query: bad, headers: { 'x-api-key': 'x' } }],
    [
      'an API key of nobody',
      'invalid_api_key',
      {
        query: bad,
        headers: { 'x-api-key': goodApiKey.replace('2', '3') },
      },
    ],
    ['a bad player token', 'invalid_player_token', { ...accepted, query: bad }],
    ['other bad input', 'invalid_request', { ...accepted, query: `${accepted.query}&limit=0` }],
  ])('D3: %s comes before the following problems', async (_, code, request) => {
    expect((await invoke(answering, request)).json.code).toBe(code)
  })
})

describe('D2, D3: problems', () => {
  test.each([
    [new IndexerUnavailable('x'), { indexerUnavailableAnswers: 1 }],
    [new ChainUnavailable('x'), { indexerUnavailableAnswers: 1 }],
    [new ServiceUnavailable('x'), { serverErrorAnswers: 1 }],
  ])('D69: %s counts as %j', async (error, counted) => {
    await invoke(throwing(error), accepted)
    const { indexerUnavailableAnswers, serverErrorAnswers } = log.at(-1) ?? {}
    expect({ indexerUnavailableAnswers, serverErrorAnswers }).toEqual(counted)
  })

  test.each([[undefined], ['text'], [null], [{ name: 'odd' }]])(
    'D3: %j, thrown, is internal_error',
    async (thrown) => {
      expect((await invoke(throwing(thrown), accepted)).json.code).toBe('internal_error')
    },
  )

  test('D30: an operation that does not end is answered with 503 before the function times out', async () => {
    const handler = getRawMetadata(() => new Promise(() => undefined))
    const { json } = await invoke(handler, { ...accepted, remainingMilliseconds: 4_010 })
    expect(json.code).toBe('service_unavailable')
    expect(log).toMatchObject([{ reason: 'the request ran out of time' }])
  })
})

test.each<[string | undefined, AcceptedAge]>([
  [undefined, {}],
  ['', {}],
  ['no-cache', { refusesKept: true }],
  ['No-Cache', { refusesKept: true }],
  ['max-age=60', { maxAgeSeconds: 60 }],
  ['max-age="60"', { maxAgeSeconds: 60 }],
  ['MAX-AGE=0', { maxAgeSeconds: 0 }],
  ['max-age=99999999999999999999', { maxAgeSeconds: 2 ** 31 }],
  ['max-age=60, max-age=30', { maxAgeSeconds: 30 }],
  ['stale-if-error=600', { staleIfErrorSeconds: 600 }],
  [
    ' no-cache ,\tmax-age=5 ,, stale-if-error=7',
    { refusesKept: true, maxAgeSeconds: 5, staleIfErrorSeconds: 7 },
  ],
  ['no-store, only-if-cached, max-stale=5, min-fresh=5, x="no-cache, max-age=1"', {}],
  ['max-age, max-age=, max-age=-1, max-age=1.5, max-age=soon, max-age=0x5, max-age = 5', {}],
  ['no-cache=5, stale-if-error, stale-if-error=""', {}],
  ['max-age="60', {}],
])('D156: the request header Cache-Control %j', (header, accepted) => {
  expect(acceptedAgeOf(header)).toEqual(accepted)
})

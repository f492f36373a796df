import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Route } from '../../lib/contract/route.ts'
import { InvalidInput, RateLimited, ServiceUnavailable } from '../../lib/domain/failures.ts'
import type { LimitName } from '../../lib/domain/limit/limit.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { clientOf } from '../../lib/http/query-fields.ts'
import { capturedLog, invoke, type SentRequest } from '../support/memory/http-chain.ts'

const row = {
  id: 'createToken',
  section: 'D105',
  method: 'POST',
  paths: ['/token'],
  auth: 'NONE',
  oauth: true,
  form: 'bare',
  body: v.object({ grant_type: v.string(), scope: v.optional(v.string()) }),
  answer: v.object({ access_token: v.string() }),
  problems: ['service_unavailable'],
} as const satisfies Route

const run = vi.fn(async ({ body }: { body: unknown }) => ({
  data: { access_token: JSON.stringify(body) },
}))

const handler = handlerOf(row, {}, run)

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const post = (body: string, more: SentRequest = {}) =>
  invoke(handler, { headers: form, body, ...more })

beforeEach(() => {
  capturedLog()
  run.mockClear()
})

describe('D105: the form of an operation of OAuth', () => {
  test.each([
    ['one field', 'grant_type=a', { grant_type: 'a' }],
    ['encoded characters', 'grant_type=a%20%2B+%C3%BC&scope=', { grant_type: 'a + ü' }],
    ['a field that is not known, twice', 'x=1&x=2&grant_type=a', { grant_type: 'a' }],
  ])('has %s: %s', async (_, body, read) => {
    const { statusCode, headers, json } = await post(body)
    expect([statusCode, headers?.['cache-control']]).toEqual([200, 'no-store'])
    expect(JSON.parse(json.access_token)).toEqual(read)
  })

  test('can have another notation, and no declaration', async () => {
    const encoded = Buffer.from('grant_type=a').toString('base64')
    for (const more of [
      { headers: {} },
      { headers: { 'content-type': 'Application/x-www-form-urlencoded ; charset=utf-8' } },
      { body: encoded, isBase64Encoded: true },
    ]) {
      expect((await post('grant_type=a', more)).statusCode).toBe(200)
    }
  })

  test.each([
    ['nothing', '', 400, 'grant_type is required.'],
    ['an empty field', 'grant_type=', 400, 'grant_type is required.'],
    [
      'a field twice',
      'grant_type=a&grant_type=b',
      400,
      'grant_type was sent 2 times; send it once.',
    ],
    [
      'too much',
      `grant_type=${'a'.repeat(1_048_576)}`,
      413,
      'The body may have at most 1048576 bytes.',
    ],
  ])('with %s is an invalid request', async (_, body, status, detail) => {
    const { statusCode, json } = await post(body)
    expect([statusCode, json.error, json.error_description]).toEqual([
      status,
      'invalid_request',
      detail,
    ])
    expect(run).not.toHaveBeenCalled()
  })

  test('is not JSON', async () => {
    const { statusCode, json } = await post('{}', {
      headers: { 'content-type': 'application/json' },
    })
    expect([statusCode, json.error, json.code]).toEqual([
      415,
      'invalid_request',
      'unsupported_media_type',
    ])
  })
})

describe('D105: a problem of an operation of OAuth', () => {
  const limit = { name: 'player_tokens' as LimitName, count: 5, perSeconds: 3_600 }

  test.each<[string, Error, string, number, string | undefined]>([
    ['a limit', new RateLimited(limit, 7), 'temporarily_unavailable', 429, '7'],
    ['an outage', new ServiceUnavailable('KMS', 3), 'temporarily_unavailable', 503, '3'],
    ['a defect', new Error('secret'), 'server_error', 500, undefined],
  ])(
    'says what it is to clients of OAuth, and more: %s',
    async (_, thrown, error, status, wait) => {
      run.mockRejectedValueOnce(thrown)
      const { statusCode, headers, json } = await post('grant_type=a')
      expect([statusCode, json.error, headers?.['retry-after']]).toEqual([status, error, wait])
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
      })
      expect(json).toMatchObject({ success: false, status, error_description: json.detail })
      expect(json.requestId).toBe('request-1')
    },
  )

  test('describes itself in the characters that OAuth permits', async () => {
    const field = { in: 'body', path: 'scope' } as const
    run.mockRejectedValueOnce(new InvalidInput(field, 'is "ü\\"'))
    const { json } = await post('grant_type=a')
    expect(json.error_description).toBe("scope is ''''.")
    expect(json.detail).toBe('scope is "ü\\".')
  })
})

const game = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'

const other = '3f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('D141: the client of a form is that of the form, or the user of Basic with an empty password', () => {
  expect(clientOf(undefined, game)).toBe(game)
  expect(clientOf(undefined, undefined)).toBeUndefined()
  for (const user of [game, game.toUpperCase(), game.replaceAll('-', '%2D')]) {
    expect(clientOf(basic(`${user}:`), undefined)).toBe(game)
    expect(clientOf(basic(`${user}:`).replace('Basic', 'basic '), game)).toBe(game)
  }
})

test.each([
  ['client_password', `${game}:secret`, undefined],
  ['client_password', `${game}:secret`, game],
  ['client_password', `${game}::`, game],
  ['another_client', `${game}:`, other],
  ['another_client', `${game}:`, 'x'],
])('D141: Basic is refused: %s, %s beside %s', (reason, sent, inForm) => {
  const refused = expect.objectContaining({ code: 'client_authentication_failed', reason })
  expect(() => clientOf(basic(sent), inForm)).toThrow(refused)
})

test.each([
  basic('proxy:secret'),
  basic(`${game}x:secret`),
  basic(`${game}&x:secret`),
  basic(`x:${game}`),
  basic(game),
  'Basic',
  'Basic %%%',
  `Bearer ${game}`,
  `${basic(`${game}:secret`)},Basic x`,
])('D141: any other header Authorization is ignored: %s', (authorization) => {
  expect(clientOf(authorization, 'the form')).toBe('the form')
  expect(clientOf(authorization, undefined)).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
} from '../src/index.ts'
import {
  errorOf as callErrorOf,
  clientOf,
  problem,
  type Scripted,
  success,
} from './scripted-server.ts'

async function errorOf(scripted: Scripted): Promise<ApiError> {
  const { client } = await clientOf([scripted], { maxRetries: 0 })
  return (await callErrorOf(client.getProduct())) as ApiError
}

test.each([
  [400, BadRequestError, 'invalid_json'],
  [401, UnauthorizedError, 'invalid_api_key'],
  [403, ForbiddenError, 'insufficient_scope'],
  [404, NotFoundError, 'key_not_found'],
  [409, ConflictError, 'last_key'],
  [413, ApiError, 'payload_too_large'],
  [429, RateLimitedError, 'rate_limited'],
  [500, ServerError, 'internal_error'],
  [503, UnavailableError, 'service_unavailable'],
  [418, ApiError, 'a_code_of_the_future'],
] as const)('a problem is an error of its class: %i: %o %s', async (status, Class, code) => {
  const error = await errorOf(problem(status, code))
  expect(error).toBeInstanceOf(Class)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    name: Class.name,
    status,
    code,
    requestId: 'request-1',
    errors: [],
  })
  expect(error).toMatchObject({ operation: 'getProduct', attempts: 1, detail: `It is ${code}.` })
  expect(error.message).toBe(`getProduct: ${status} ${code}: It is ${code}. (request request-1)`)
})

test('invalid fields and limits are part of the error', async () => {
  const errors = [{ in: 'body', path: 'tokens.1', message: 'must be …' }]
  expect(await errorOf(problem(400, 'invalid_request', { errors }))).toMatchObject({ errors })
  const limit = { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 }
  const limited = await errorOf(problem(429, 'rate_limited', { limit }, { 'retry-after': '44' }))
  expect(limited).toMatchObject({ limit, retryAfterSeconds: 44 })
  expect(limited.headers.get('retry-after')).toBe('44')
})

test('Retry-After can be a date', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  const { retryAfterSeconds } = await errorOf(problem(503, 'a', {}, { 'retry-after': date }))
  expect(retryAfterSeconds).toBeGreaterThan(3000)
  expect(retryAfterSeconds).toBeLessThanOrEqual(3600)
  const past = await errorOf(
    problem(503, 'a', {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  )
  expect(past.retryAfterSeconds).toBe(0)
  for (const text of ['soon', '-5', 'NaN', 'never GMT', '']) {
    const unreadable = await errorOf(problem(503, 'a', {}, { 'retry-after': text }))
    expect([text, unreadable.retryAfterSeconds]).toEqual([text, undefined])
  }
  const fraction = await errorOf(problem(503, 'a', {}, { 'retry-after': '1.5' }))
  expect(fraction.retryAfterSeconds).toBe(1.5)
})

describe('a response that is not of the service', () => {
  const json = { 'content-type': 'application/json' }
  const html = { 'content-type': 'text/html' }

  test('of API Gateway has its message, its request id, and the class of its status', async () => {
    const message = 'Service Unavailable'
    const error = await errorOf({ status: 503, headers: json, json: { message } })
    expect(error).toBeInstanceOf(UnavailableError)
    expect(error).toMatchObject({ code: 'gateway_error', detail: message })
    expect(error.requestId).toBe('request-of-gateway')
  })

  test('of a proxy is text that can be read', async () => {
    const error = await errorOf({ status: 502, headers: html, text: '<h1>Bad gateway</h1>' })
    expect(error).toMatchObject({ code: 'unexpected_answer', body: '<h1>Bad gateway</h1>' })
    expect(error).toBeInstanceOf(UnavailableError)
  })

  test.each([
    ['a page', { headers: html, text: '<h1>Welcome</h1>' }],
    ['no JSON', { text: '{"data":' }],
    ['another JSON', { json: { data: [] } }],
    ['an array', { json: [] }],
    ['no body', { text: '' }],
    ['no data', { json: { success: true } }],
    ['null', { json: null }],
    ['a failure', { json: { data: {}, success: false } }],
  ])('with a success and %s is an error', async (_, scripted) => {
    expect(await errorOf(scripted)).toMatchObject({ code: 'unexpected_answer', status: 200 })
  })

  test('with a problem that lacks members is an error with what there is', async () => {
    const error = await errorOf({ status: 400, json: { errors: 'none', limit: 7, title: 'Bad' } })
    expect(error).toMatchObject({ code: 'unexpected_answer', detail: 'Bad', errors: [] })
    expect(error.limit).toBeUndefined()
  })
})

test('a request without a response is a ConnectionError with its cause', async () => {
  const error = await errorOf('close')
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ code: 'connection_failed', status: undefined })
  expect(error).toMatchObject({ requestId: undefined, cause: expect.any(TypeError) })
})

test('withResponse has the request id, and its rejection is that of the call', async () => {
  const { client } = await clientOf([success({ productId: 'p' }), problem(401, 'invalid_api_key')])
  const answer = await client.getProduct().withResponse()
  expect(answer).toMatchObject({ data: { productId: 'p' }, status: 200 })
  expect(answer).toMatchObject({ requestId: 'request-of-gateway', text: expect.any(String) })
  expect(answer.headers.get('content-type')).toBe('application/json')
  // An unhandled rejection of the call itself would fail this run.
  await expect(client.getProduct().withResponse()).rejects.toThrow('invalid_api_key')
})

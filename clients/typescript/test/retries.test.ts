import { describe, expect, test } from 'vitest'
import { freePort } from '../../../test/support/services/free-port.ts'
import { apiError } from '../src/errors.ts'
import { type Attempt, PlayerNfts } from '../src/index.ts'
import { waitBeforeRetry } from '../src/send.ts'
import { clientOf, errorOf, problem, type Scripted, success } from './scripted-server.ts'

const registration = { name: 'Tide Crates', contactEmail: 'a@b.example', companyName: 'Gull' }
const unavailable = problem(503, 'service_unavailable')
const gateway429: Scripted = {
  status: 429,
  headers: { 'content-type': 'application/json' },
  json: { message: 'Too Many Requests' },
}

describe.concurrent('a read and a repeatable change are sent again after', () => {
  test.each([
    ['no response', 'close'],
    ['503', unavailable],
    ['429 with a period', problem(429, 'rate_limited', {}, { 'retry-after': '0' })],
    ['429 of API Gateway', gateway429],
    ['500 of API Gateway', { ...gateway429, status: 500, json: { message: 'Internal' } }],
    ['502 of a proxy', { status: 502, text: 'bad' }],
  ] satisfies [string, Scripted][])('%s', async (_, failure) => {
    const read = await clientOf([failure, success({ name: 'a' })])
    expect(await read.client.getProduct()).toEqual({ name: 'a' })
    expect(read.requests).toHaveLength(2)
    const change = await clientOf([failure, success([])])
    const params = { contractAddress: '0x1', tokens: ['1'] }
    expect(await change.client.allowlistNfts(params)).toEqual([])
    expect(change.requests[1]).toEqual(change.requests[0])
  })
})

describe.concurrent('no call is sent again after', () => {
  test.each([
    ['an invalid request', problem(400, 'invalid_request')],
    ['a wrong key', problem(401, 'invalid_api_key')],
    ['a conflict', problem(409, 'too_many_ranges')],
    ['a defect of the service', problem(500, 'internal_error')],
    ['a limit of a total', problem(429, 'rate_limited', { limit: { name: 'nfts', count: 9 } })],
    ['a page of somebody else', { headers: { 'content-type': 'text/html' }, text: '<p>' }],
  ] satisfies [string, Scripted][])('%s', async (_, failure) => {
    const { client, requests } = await clientOf([failure, success({})])
    await errorOf(client.getProduct())
    expect(requests).toHaveLength(1)
  })
})

describe.concurrent('a call that makes something more each time', () => {
  test('is not sent again if it can have succeeded', async () => {
    for (const failure of [unavailable, problem(500, 'internal_error')]) {
      const { client, requests } = await clientOf([failure, success({})])
      const error = await errorOf(client.registerProduct(registration))
      expect(error).toMatchObject({ attempts: 1, mayHaveTakenEffect: true })
      expect(requests).toHaveLength(1)
    }
  })

  test('is sent again if nothing has happened', async () => {
    const { client, requests } = await clientOf([gateway429, success({ productId: 'p' })])
    expect(await client.registerProduct(registration)).toEqual({ productId: 'p' })
    expect(requests).toHaveLength(2)
  })

  test('is sent again if there was no connection', async () => {
    const attempts: Attempt[] = []
    const client = new PlayerNfts({
      baseUrl: `http://127.0.0.1:${await freePort()}`,
      maxRetries: 1,
      onAttempt: (attempt) => attempts.push(attempt),
    })
    const error = await errorOf(client.registerProduct(registration))
    expect(error).toMatchObject({ attempts: 2, mayHaveTakenEffect: false })
    expect(error.detail).toContain('ECONNREFUSED')
    expect(attempts).toHaveLength(2)
  })
})

describe.concurrent('what can have been changed', () => {
  test('is said also if a later request says that there is nothing to change', async () => {
    const { client } = await clientOf(['close', problem(404, 'contract_not_connected')])
    const error = await errorOf(client.unbindContract({ contractAddress: '0x1', chain: 'BSC' }))
    expect(error).toMatchObject({ code: 'contract_not_connected', attempts: 2 })
    expect(error.mayHaveTakenEffect).toBe(true)
  })

  test('is nothing after a refusal, and for a read', async () => {
    const refused = await clientOf([problem(409, 'last_key')])
    expect(await errorOf(refused.client.endKey({ keyId: 'k' }))).toMatchObject({
      mayHaveTakenEffect: false,
    })
    const read = await clientOf(['close'], { maxRetries: 0 })
    expect(await errorOf(read.client.getProduct())).toMatchObject({ mayHaveTakenEffect: false })
  })
})

test('the wait of API Gateway is at most 8.5 seconds', () => {
  const failed = { code: 'gateway_error', detail: '', operation: 'getProduct', status: 429 }
  const answer = { headers: new Headers(), body: '', retryAfterSeconds: undefined, errors: [] }
  const error = apiError(failed, { ...answer, limit: undefined })
  for (const [attempt, least] of [
    [1, 1000],
    [2, 2000],
    [9, 8000],
  ] as const) {
    const wait = waitBeforeRetry({ effect: 'reads' }, error, attempt)
    expect(wait).toBeGreaterThanOrEqual(least)
    expect(wait).toBeLessThan(least + 500)
  }
})

test('a failure of onAttempt does not change the call', async () => {
  const sync = () => {
    throw new Error('The log is full')
  }
  const { client } = await clientOf([success({ apiKey: 'k' })], { onAttempt: sync })
  expect(await client.registerProduct(registration)).toEqual({ apiKey: 'k' })
  // An unhandled rejection would fail this run.
  const later = client.withOptions({ onAttempt: async () => sync() })
  expect(await later.registerProduct(registration)).toEqual({ apiKey: 'k' })
})

describe.concurrent('the wait', () => {
  test('is that of Retry-After, and a random part of half a second', async () => {
    const { client, attempts } = await clientOf([
      problem(429, 'rate_limited', {}, { 'retry-after': '1' }),
      success({}),
    ])
    await client.getProduct()
    expect(attempts).toHaveLength(2)
    expect(attempts[0]).toMatchObject({ operation: 'getProduct', attempt: 1, status: 429 })
    expect(attempts[0]).toMatchObject({ code: 'rate_limited', requestId: 'request-1' })
    expect(attempts[0]?.retryInMs).toBeGreaterThanOrEqual(1000)
    expect(attempts[0]?.retryInMs).toBeLessThan(1500)
    expect(attempts[1]).toMatchObject({ method: 'GET', path: '/api/public/v1/product', attempt: 2 })
    expect(attempts[1]?.retryInMs).toBeUndefined()
  })

  test('grows with each retry, and is random', async () => {
    const { client, attempts } = await clientOf([unavailable], { maxRetries: 3 })
    const calls = Array.from({ length: 24 }, () => errorOf(client.getProduct()))
    for (const error of await Promise.all(calls)) expect(error.attempts).toBe(4)
    const waits = [1, 2, 3].map((number) =>
      attempts.filter(({ attempt }) => attempt === number).map(({ retryInMs = -1 }) => retryInMs),
    )
    for (const [index, group] of waits.entries()) {
      for (const wait of group) {
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThan(500 * 2 ** index)
      }
      expect(new Set(group).size).toBeGreaterThan(1)
    }
    expect(Math.max(...(waits[2] ?? []))).toBeGreaterThan(500)
  })

  test('is not begun if it would end after the time of the call', async () => {
    const limited = problem(429, 'rate_limited', {}, { 'retry-after': '44' })
    const { client, requests } = await clientOf([limited], { totalTimeoutMs: 30_000 })
    expect(await errorOf(client.getProduct())).toMatchObject({ retryAfterSeconds: 44 })
    expect(requests).toHaveLength(1)
  })

  test.each(['9'.repeat(400), '3000000'])('of %s seconds does not end at once', async (seconds) => {
    const limited = problem(429, 'rate_limited', {}, { 'retry-after': seconds })
    const ending = new AbortController()
    const { client, requests } = await clientOf([limited], {
      signal: ending.signal,
      totalTimeoutMs: Number.POSITIVE_INFINITY,
    })
    const ended = errorOf(client.getProduct())
    await expect.poll(() => requests).toHaveLength(1)
    setTimeout(() => ending.abort(), 200)
    await ended
    expect(requests).toHaveLength(1)
  })
})

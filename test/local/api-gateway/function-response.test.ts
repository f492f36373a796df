import { describe, expect, onTestFinished, test } from 'vitest'
import { gatewayError, useGateway } from './gateway-fixture.ts'

const { logged, start, post } = useGateway()

describe('the response', () => {
  const answer = (response: unknown, headers: Record<string, string> = {}) =>
    post('/answer', JSON.stringify(response), { 'content-type': 'application/json', ...headers })

  test('has status, headers, cookies and body of the function', async () => {
    const reply = await answer({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json', 'X-Number': 5, 'x-yes': true },
      cookies: ['a=1; HttpOnly', 'b=2'],
      body: '{"a":"☃"}',
    })
    expect(reply.status).toBe(404)
    expect(reply.body).toBe('{"a":"☃"}')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'x-number': '5',
      'x-yes': 'true',
      'set-cookie': ['a=1; HttpOnly', 'b=2'],
      'content-length': '11',
      'apigw-requestid': expect.any(String),
    })
  })

  test('has the gateway’s values for headers that belong to the gateway', async () => {
    const headers = { 'Content-Length': '9', 'Transfer-Encoding': 'x', 'Apigw-Requestid': 'mine' }
    const reply = await answer({ statusCode: 200, headers, body: 'abc' })
    expect(reply.body).toBe('abc')
    expect(reply.headers).toMatchObject({ 'content-length': '3' })
    expect(reply.headers['transfer-encoding']).toBeUndefined()
    expect(reply.headers['apigw-requestid']).not.toBe('mine')
  })

  test('has a body from base64', async () => {
    const body = Buffer.from([0, 255, 1]).toString('base64')
    const reply = await answer({ statusCode: 200, body, isBase64Encoded: true })
    expect(reply.headers['content-length']).toBe('3')
  })

  test('can consist of a status only', async () => {
    expect(await answer({ statusCode: 204 })).toMatchObject({ status: 204, body: '' })
    expect(await answer({ statusCode: 202 })).toMatchObject({
      status: 202,
      body: '',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' },
    })
  })

  test.each([
    [{ message: 'hi' }, '{"message":"hi"}'],
    ['plain', 'plain'],
    [[1, 2], '[1,2]'],
    [7, '7'],
    [null, 'null'],
  ])('without a statusCode, has %j as the body and the status 200', async (response, body) => {
    const reply = await answer(response)
    expect(reply).toMatchObject({ status: 200, body })
    expect(reply.headers['content-type']).toBe('application/json')
  })

  test.each([
    { statusCode: '200' },
    { statusCode: 200.5 },
    { statusCode: 42 },
    { statusCode: 101 },
    { statusCode: null },
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 200, headers: ['a'] },
    { statusCode: 200, headers: 'a' },
    { statusCode: 200, headers: { a: ['b'] } },
    { statusCode: 200, headers: { 'a b': 'c' } },
    { statusCode: 200, headers: { a: 'line\nbreak' } },
    { statusCode: 200, cookies: 'a=1' },
    { statusCode: 200, cookies: ['a\r\nb'] },
  ])('is 500 for the malformed %j', async (response) => {
    logged.length = 0
    expect(await answer(response)).toEqual(gatewayError(500, 'Internal Server Error'))
    expect(logged).toEqual([expect.stringMatching(/^answer: /)])
  })

  test('is 500 if the function throws or its response is too large', async () => {
    expect(await post('/throws', '')).toEqual(gatewayError(500, 'Internal Server Error'))
    expect(await post('/huge', '')).toEqual(gatewayError(500, 'Internal Server Error'))
  })

  test('is 503 if the function times out', async () => {
    expect(await post('/hangs', '')).toEqual(gatewayError(503, 'Service Unavailable'))
  })

  test('is 503 after the timeout of the integration', async () => {
    const impatient = await start({ integrationTimeoutSeconds: 0.05 })
    onTestFinished(() => impatient.close())
    const response = await fetch(`${impatient.url}/waits`, { method: 'POST' })
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ message: 'Service Unavailable' })
  })

  test('is 500 if the host fails', async () => {
    const broken = await start({ invoke: () => Promise.reject(new Error('broken')) })
    onTestFinished(() => broken.close())
    expect((await fetch(`${broken.url}/echo`)).status).toBe(500)
  })
})

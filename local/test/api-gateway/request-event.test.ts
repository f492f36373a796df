import { describe, expect, onTestFinished, test } from 'vitest'
import type { GatewayOptions } from '../../api-gateway/api-gateway.ts'
import { gatewayError, useGateway } from './gateway-fixture.ts'

const { url, send, post, raw, logged, start } = await useGateway()

describe('the event', () => {
  test('contains all of a GET request', async () => {
    const before = Date.now()
    const reply = await send('/echo?b=2&a=1&b=%20x%2c&flag&=&x=a+b', {
      headers: {
        Host: 'api.example.com:8080',
        'User-Agent': 'probe/1.0',
        'X-Custom': ['one', 'two'],
        Cookie: 'a=1; b="2; c=3',
        'X-Forwarded-For': '10.0.0.1',
        Connection: 'close',
      },
    })
    expect(reply.status).toBe(200)
    const event = JSON.parse(reply.body)
    const { time, timeEpoch } = event.requestContext
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /echo',
      rawPath: '/echo',
      rawQueryString: 'b=2&a=1&b=%20x%2c&flag&=&x=a+b',
      headers: {
        host: 'api.example.com:8080',
        'user-agent': 'probe/1.0',
        'x-custom': 'one,two',
        'content-length': '0',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-forwarded-for': '10.0.0.1, 127.0.0.1',
        'x-forwarded-port': new URL(url).port,
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1', b: '2, x,', flag: '', '': '', x: 'a b' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'api.example.com',
        domainPrefix: 'api',
        http: {
          method: 'GET',
          path: '/echo',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'probe/1.0',
        },
        requestId: reply.headers['apigw-requestid'],
        routeKey: 'GET /echo',
        stage: '$default',
        time,
        timeEpoch,
      },
      isBase64Encoded: false,
    })
    expect(timeEpoch).toBeGreaterThanOrEqual(before)
    expect(timeEpoch).toBeLessThanOrEqual(Date.now())
    const [, day, month, year, clock] =
      /^(\d\d)\/(\w{3})\/(\d{4}):([\d:]{8}) \+0000$/.exec(time) ?? []
    expect(Date.parse(`${day} ${month} ${year} ${clock} GMT`)).toBe(timeEpoch - (timeEpoch % 1000))
  })

  test('omits queryStringParameters and body if there are none', async () => {
    for (const path of ['/echo', '/echo?']) {
      const event = JSON.parse((await send(path)).body)
      expect(event.rawQueryString).toBe('')
      expect(event).not.toHaveProperty('queryStringParameters')
      expect(event).not.toHaveProperty('body')
    }
  })

  test('contains all of 300 headers, and repeated headers that Node would drop', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `x-${n}: ${n}\r\n`).join('')
    const twice = 'Authorization: one\r\nauthorization: two\r\n'
    const reply = await raw(`GET /echo HTTP/1.0\r\nhost: h\r\n${twice}${many}\r\n`)
    const event = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))
    expect(event.headers).toMatchObject({ authorization: 'one,two', 'x-0': '0', 'x-299': '299' })
    expect(event.requestContext.http.protocol).toBe('HTTP/1.0')
  })

  test.each([
    ['application/json', 'text'],
    ['application/json; charset=utf-8', 'text'],
    ['Text/Plain', 'text'],
    ['application/xml', 'text'],
    ['application/javascript', 'text'],
    ['application/jsonlines', 'base64'],
    ['application/octet-stream', 'base64'],
    ['application/x-www-form-urlencoded', 'base64'],
    [undefined, 'base64'],
  ])('contains a body of type %s as %s', async (type, form) => {
    const sent = '\ufeff{"a": "☃"}\r\n'
    const reply = await post('/echo', sent, type === undefined ? {} : { 'content-type': type })
    const { body, isBase64Encoded, headers } = JSON.parse(reply.body)
    expect(isBase64Encoded).toBe(form === 'base64')
    expect(Buffer.from(body, form === 'base64' ? 'base64' : 'utf8').toString()).toBe(sent)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(sent)))
  })

  test('contains text that is not UTF-8 as base64', async () => {
    const sent = Buffer.from([0x22, 0xff, 0xc0, 0x22])
    const reply = await post('/echo', sent, { 'content-type': 'application/json' })
    const event = JSON.parse(reply.body)
    expect(event.isBase64Encoded).toBe(true)
    expect(Buffer.from(event.body, 'base64')).toEqual(sent)
  })

  test('contains a chunked body', async () => {
    const head =
      'POST /echo HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-type: text/plain\r\n'
    const reply = await raw(
      `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    )
    const event = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))
    expect(event.body).toBe('abcde')
    expect(event.headers).toMatchObject({ 'content-length': '5' })
    expect(event.headers).not.toHaveProperty('transfer-encoding')
  })
})

describe('the response', () => {
  const answer = (response: unknown, headers: Record<string, string> = {}) =>
    post('/answer', JSON.stringify(response), { 'content-type': 'application/json', ...headers })

  test('has status, headers and body of the function', async () => {
    const reply = await answer({
      statusCode: 404,
      headers: { 'Content-Type': 'application/problem+json', 'X-Number': 5, 'x-yes': true },
      body: '{"a":"☃"}',
    })
    expect(reply.status).toBe(404)
    expect(reply.body).toBe('{"a":"☃"}')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'x-number': '5',
      'x-yes': 'true',
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

  test('can consist of a status only', async () => {
    expect(await answer({ statusCode: 204 })).toMatchObject({ status: 204, body: '' })
    expect(await answer({ statusCode: 202 })).toMatchObject({
      status: 202,
      body: '',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' },
    })
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
    { statusCode: 200, cookies: ['a=1'] },
    { statusCode: 200, body: 'AP8B', isBase64Encoded: true },
    null,
  ])('is 500 for the malformed %j', async (response) => {
    logged.length = 0
    expect(await answer(response)).toEqual(gatewayError(500, 'Internal Server Error'))
    expect(logged).toEqual([expect.stringMatching(/^answer: /)])
  })

  test('is 500 if the function throws or its response is too large', async () => {
    expect(await post('/throws', '')).toEqual(gatewayError(500, 'Internal Server Error'))
    expect(await post('/huge', '')).toEqual(gatewayError(500, 'Internal Server Error'))
  })

  test('is 503 if the integration or the function times out, and 500 if it or the host fails', async () => {
    const answerTo = async (invoke: GatewayOptions['invoke']) => {
      const other = await start({ invoke, integrationTimeoutSeconds: 0.05 })
      onTestFinished(() => other.close())
      const response = await fetch(`${other.url}/echo`)
      return [response.status, await response.json()]
    }
    const unavailable = [503, { message: 'Service Unavailable' }]
    const failed = { ok: false, message: '' } as const
    expect(await answerTo(() => new Promise(() => undefined))).toEqual(unavailable)
    const timedOut = { ...failed, errorType: 'Sandbox.Timedout' }
    expect(await answerTo(async () => timedOut)).toEqual(unavailable)
    const broken = [500, { message: 'Internal Server Error' }]
    expect(await answerTo(async () => ({ ...failed, errorType: 'Error' }))).toEqual(broken)
    expect(await answerTo(() => Promise.reject(new Error('broken')))).toEqual(broken)
  })
})

import { describe, expect, test } from 'vitest'
import { useGateway } from './gateway-fixture.ts'

const { url, send, post, raw } = useGateway()

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
      cookies: ['a=1', 'b="2', 'c=3'],
      headers: {
        host: 'api.example.com:8080',
        'user-agent': 'probe/1.0',
        'x-custom': 'one,two',
        'content-length': '0',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-forwarded-for': '10.0.0.1, 127.0.0.1',
        'x-forwarded-port': new URL(url()).port,
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

  test('omits queryStringParameters, cookies and body if there are none', async () => {
    for (const path of ['/echo', '/echo?']) {
      const event = JSON.parse((await send(path)).body)
      expect(event.rawQueryString).toBe('')
      expect(event).not.toHaveProperty('queryStringParameters')
      expect(event).not.toHaveProperty('cookies')
      expect(event).not.toHaveProperty('body')
    }
  })

  test('contains all of 300 headers, and repeated headers that Node would drop', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `x-${n}: ${n}\r\n`).join('')
    const twice = 'Authorization: one\r\nauthorization: two\r\ncookie: a=1\r\ncookie: b=2\r\n'
    const reply = await raw(`GET /echo HTTP/1.0\r\nhost: h\r\n${twice}${many}\r\n`)
    const event = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))
    expect(event.headers).toMatchObject({ authorization: 'one,two', 'x-0': '0', 'x-299': '299' })
    expect(event.cookies).toEqual(['a=1', 'b=2'])
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

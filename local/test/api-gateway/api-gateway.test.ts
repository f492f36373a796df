import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { gatewayError, type Reply, useGateway } from './gateway-fixture.ts'

const { url, start, send, post, raw } = await useGateway()

describe('routing', () => {
  test('matches the decoded path', async () => {
    for (const path of ['/a/very/deep%20path', '/%61/very/deep%20path?q=1']) {
      const event = JSON.parse((await send(path)).body)
      expect(event.rawPath).toBe('/a/very/deep path')
      expect(event.routeKey).toBe('GET /a/very/deep path')
      expect(event.requestContext.http.path).toBe('/a/very/deep path')
    }
  })

  test('accepts the absolute form of a request target', async () => {
    const event = JSON.parse((await send('http://other.example/echo?a=1')).body)
    expect(event).toMatchObject({ rawPath: '/echo', rawQueryString: 'a=1' })
  })

  test.each([
    ['GET', '//echo'],
    ['GET', '/%zz'],
    ['GET', '/ech%6'],
    ['GET', '/%ff'],
    ['OPTIONS', '*'],
  ])('responds to %s %s with 404', async (method, path) => {
    expect(await send(path, { method })).toEqual(gatewayError(404, 'Not Found'))
  })

  test('does not route HEAD to the function for GET', async () => {
    expect(await send('/echo', { method: 'HEAD' })).toMatchObject({ status: 404, body: '' })
  })

  test('serves concurrent requests to a function', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('/waits', '')))
    expect(new Set(replies.map(({ body }) => body))).toEqual(new Set(['waited']))
    expect(new Set(replies.map(({ headers }) => headers['apigw-requestid'])).size).toBe(20)
  })

  test('answers requests that arrive in one write, in their order', async () => {
    const get = (path: string, ...headers: string[]) =>
      [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
    const requests = [get('/echo?n=1'), get('/nowhere'), get('/echo?n=3', 'Connection: close')]
    const received = await raw(requests.join(''))
    expect(received.match(/HTTP\/1.1 \d+|"rawQueryString":"n=\d"/g)).toEqual([
      'HTTP/1.1 200',
      '"rawQueryString":"n=1"',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
      '"rawQueryString":"n=3"',
    ])
  })
})

describe('D6: CORS', () => {
  const preflight = { Origin: 'https://game.example', 'Access-Control-Request-Method': 'POST' }

  test.each(['/echo', '/nowhere'])('responds to a preflight for %s', async (path) => {
    const reply = await send(path, { method: 'OPTIONS', headers: preflight })
    expect(reply).toMatchObject({ status: 204, body: '' })
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'Content-Type,X-Api-Key',
      'access-control-max-age': '7200',
      'apigw-requestid': expect.any(String),
    })
    expect(reply.headers).not.toHaveProperty('access-control-expose-headers')
    expect(reply.headers).not.toHaveProperty('content-length')
  })

  test('responds to an OPTIONS request without an Origin with 404', async () => {
    const headers = { 'Access-Control-Request-Method': 'POST' }
    expect((await send('/echo', { method: 'OPTIONS', headers })).status).toBe(404)
  })

  test('replaces the CORS headers of functions, and removes them without an Origin', async () => {
    const response = JSON.stringify({
      statusCode: 200,
      headers: {
        'Access-Control-Allow-Origin': 'https://other.example',
        'access-control-allow-credentials': 'true',
      },
    })
    const type = { 'content-type': 'application/json' }
    const corsOf = ({ headers }: Reply) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-')))
    const allowed = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
    }
    const origin = { Origin: 'https://game.example' }
    expect(corsOf(await post('/answer', response, { ...type, ...origin }))).toEqual(allowed)
    expect(corsOf(await post('/answer', response, type))).toEqual({})
    expect(corsOf(await send('/nowhere', { headers: origin }))).toEqual(allowed)
    expect(corsOf(await send('/nowhere'))).toEqual({})
  })
})

describe('the port', () => {
  test('is not available: rejects with Node’s error', async () => {
    const port = Number(new URL(url).port)
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  })

  test('is on the loopback interface only', () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  test('is free after close, which lets requests end and can be repeated', async () => {
    const other = await start()
    const idle = connect({ host: '127.0.0.1', port: Number(new URL(other.url).port) })
    await once(idle, 'connect')
    const waiting = fetch(`${other.url}/waits`, { method: 'POST' })
    await sleep(100)
    await Promise.all([other.close(), other.close()])
    const response = await waiting
    expect(response.headers.get('connection')).toBe('close')
    expect(await response.text()).toBe('waited')
    await expect(fetch(other.url)).rejects.toThrow()
    const again = await start({ port: Number(new URL(other.url).port) })
    await again.close()
  })

  test('is free after close even if a request never ends', async () => {
    const other = await start({ invoke: () => new Promise(() => undefined) })
    const waiting = fetch(`${other.url}/echo`)
    waiting.catch(() => undefined)
    await sleep(100)
    await other.close()
    await expect(waiting).rejects.toThrow()
  })
})

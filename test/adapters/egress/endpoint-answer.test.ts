import http from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { outcomeOf as endpointOutcome } from '../../../lib/adapters/egress/endpoint-answer.ts'
import { answered, httpsEndpoint, outcomeAt, tcpEndpoint, tlsEndpoint } from './endpoint-fixture.ts'

/** A server that answers the first bytes of each request with these, and then ends the connection. */
const answering = (text: string, end = (socket: Socket) => socket.end()) =>
  tlsEndpoint((socket) =>
    socket.once('data', () => {
      socket.write(text, () => end(socket))
    }),
  )

/** What becomes of an attempt that these bytes answer. */
const outcomeOf = async (text: string, answerBytes = 0) =>
  outcomeAt((await answering(text)).port, { answerBytes })

const malformed = { failure: 'answer_malformed' }
const unconnected = { failure: 'connection_failed' }
const headers = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `h${index}: ${'x'.repeat(length)}\r\n`).join('')

describe('D120: the answer of a webhook', () => {
  test.each([
    [200, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 'ok'],
    [200, 'HTTP/1.1 200 OK\r\n\r\nuntil the end', 'until the end'],
    [200, 'HTTP/1.0 200 OK\r\n\r\nold', 'old'],
    [201, 'HTTP/1.0 201 Created\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\n!', '!'],
    [204, 'HTTP/1.1 204 No Content\r\n\r\n', ''],
    [304, 'HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n', ''],
    [410, 'HTTP/1.1 410 Gone\r\ncontent-length: 4\r\n\r\ngone', 'gone'],
    [
      500,
      'HTTP/1.1 500 \r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n2;a=b\r\npe\r\n0\r\n\r\n',
      'nope',
    ],
    [
      200,
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: a\r\n\r\n2\r\nok\r\n0\r\na: b\r\n\r\n',
      'ok',
    ],
    [200, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 \r\n\r\n', 'ok'],
    [
      200,
      'HTTP/1.1 200 OK\r\nupgrade: h2c\r\nconnection: upgrade\r\ncontent-length: 2\r\n\r\nok',
      'ok',
    ],
    [599, 'HTTP/1.1 599 \r\ncontent-length: 2\r\n\r\nÿ', 'ÿ'],
  ])('is %i after %j, with its body if it is wanted', async (status, text, body) => {
    expect(await outcomeOf(text)).toEqual(answered(status))
    expect(await outcomeOf(text, 1_000)).toEqual(answered(status, body))
  })

  test.each([
    ['a redirect to another host', 301, 'https://other.example/'],
    ['a redirect to http', 302, 'http://127.0.0.1/'],
    ['a redirect of the method, too', 307, '/again'],
    ['a permanent redirect', 308, '//127.0.0.1/'],
  ])('is not followed: %s', async (_, status, location) => {
    const target = await tcpEndpoint()
    const to = location.replace('127.0.0.1', `127.0.0.1:${target.port}`)
    const endpoint = await httpsEndpoint((_request, response) =>
      response.writeHead(status, { location: to }).end(),
    )
    expect(await outcomeAt(endpoint.port, { answerBytes: 100 })).toEqual(answered(status))
    expect(endpoint.connections).toHaveLength(1)
    expect(target.connections).toEqual([])
  })

  test('comes after informational answers, of which there are at most ten', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    expect(await outcomeOf(hints + answer, 10)).toEqual(answered(200, 'ok'))
    expect(await outcomeOf(hints.repeat(5) + answer, 10)).toEqual(answered(200, 'ok'))
    expect(await outcomeOf(hints.repeat(6) + answer, 10)).toEqual(malformed)
    expect(await outcomeOf(hints)).toEqual(unconnected)
  })

  test('is one before the request was read, although the connection is reset', async () => {
    const reset = (socket: TLSSocket) => {
      socket
        .pause()
        .write('HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok', () => socket.destroy())
    }
    const { port } = await tlsEndpoint(reset)
    expect(await outcomeAt(port, { body: 'x'.repeat(100_000) })).toEqual(answered(202))
  })

  test('has no more than the wanted bytes of the body, and no half of a character', async () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nabé🦊'
    expect(await outcomeOf(text, 2)).toEqual(answered(200, 'ab'))
    expect(await outcomeOf(text, 3)).toEqual(answered(200, 'ab'))
    expect(await outcomeOf(text, 4)).toEqual(answered(200, 'abé'))
    expect(await outcomeOf(text, 7)).toEqual(answered(200, 'abé'))
    expect(await outcomeOf(text, 8)).toEqual(answered(200, 'abé🦊'))
  })

  test.each([0, 16_384])('is not read further: %i of 1 GB are wanted', async (answerBytes) => {
    const part = Buffer.alloc(65_536, 'x')
    const endpoint = await httpsEndpoint((_request, response) => {
      response.setHeader('content-length', 1_000_000_000)
      const write = () => {
        while (!response.destroyed && response.write(part));
      }
      write()
      response.on('drain', write)
    })
    const outcome = await outcomeAt(endpoint.port, { answerBytes })
    expect(outcome).toEqual(answered(200, 'x'.repeat(answerBytes)))
    await endpoint.abandoned()
    expect(endpoint.connections[0]?.bytesWritten).toBeLessThan(100_000_000)
  })
})

describe('D120: what Retry-After of a webhook asks for', () => {
  test.each([
    ['120', 120],
    ['0', 0],
    ['Mon, 01 Jan 2024 00:01:00 GMT', 60],
    ['Tue, 31 Dec 2024 00:00:00 GMT', 365 * 24 * 3_600],
    ['Sun, 01 Jan 2023 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['Jan 1 2099', undefined],
    ['Mon, 99 Jan 2024 00:00:00 GMT', undefined],
    ['1, 2', undefined],
    ['5\r\nretry-after: 7', 5],
  ])('%j', async (text, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2024, 0, 1) })
    onTestFinished(() => void vi.useRealTimers())
    const head = `HTTP/1.1 429 Too Many Requests\r\nretry-after: ${text}\r\n\r\n`
    expect(await outcomeOf(head)).toEqual(answered(429, '', seconds))
  })
})

describe('D120: what is no answer of a webhook', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', '<html>ok</html>'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    [
      'a change of the protocol',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n'],
    ['101 headers', `HTTP/1.1 200 OK\r\n${headers(101)}\r\n`],
    ['1,000 headers', `HTTP/1.1 200 OK\r\n${headers(1_000)}\r\n`],
    ['3,000 headers', `HTTP/1.1 200 OK\r\n${headers(3_000)}\r\n`],
    ['headers of more than 16 KB', `HTTP/1.1 200 OK\r\n${headers(10, 1_700)}\r\n`],
    ['one header of 1 MB', `HTTP/1.1 200 OK\r\n${headers(1, 1_000_000)}\r\n`],
    ['a reason of 1 MB', `HTTP/1.1 200 ${'x'.repeat(1_000_000)}\r\n\r\n`],
  ])('%s', async (_, text) => {
    const endpoint = await answering(text, () => undefined as never)
    expect(await outcomeAt(endpoint.port)).toEqual(malformed)
    await endpoint.abandoned()
  })

  test('but 100 headers and 15 KB are', async () => {
    expect(await outcomeOf(`HTTP/1.1 200 OK\r\n${headers(100)}\r\n`)).toEqual(answered(200))
    expect(await outcomeOf(`HTTP/1.1 200 OK\r\n${headers(10, 1_500)}\r\n`)).toEqual(answered(200))
  })

  test('a length of a chunk that is no number, if the body is wanted', async () => {
    const text = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nnone\r\n'
    expect(await outcomeOf(text, 100)).toEqual(malformed)
    expect(await outcomeOf(text)).toEqual(answered(200))
  })

  test.each(['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n'])(
    'an end of the connection after %j',
    async (text) => {
      expect(await outcomeOf(text)).toEqual(unconnected)
      const { port } = await answering(text, (socket) => socket.destroy())
      expect(await outcomeAt(port)).toEqual(unconnected)
    },
  )

  test.each(['content-length: 3', 'transfer-encoding: chunked'])(
    'an end of the connection within a body that is wanted (%s)',
    async (header) => {
      const text = `HTTP/1.1 200 OK\r\n${header}\r\n\r\n2\r\n`
      expect(await outcomeOf(text.slice(0, -1), 3)).toEqual(unconnected)
      expect(await outcomeOf(text.slice(0, -1))).toEqual(answered(200))
    },
  )

  test('a connection that is refused, or that ends before TLS', async () => {
    const closing = await tcpEndpoint((socket) => socket.destroy())
    expect(await outcomeAt(closing.port)).toEqual(unconnected)
    const resetting = await tcpEndpoint((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    )
    expect(await outcomeAt(resetting.port)).toEqual(unconnected)
    // No program listens on the port of the TCP port multiplexer.
    expect(await outcomeAt(1)).toEqual(unconnected)
  })

  test.each([
    ['connection_failed', 'ECONNRESET'],
    ['connection_failed', 'EHOSTUNREACH'],
    ['connection_failed', 'ENETUNREACH'],
    ['connection_failed', 'EPIPE'],
    ['connection_failed', 'ERR_SOCKET_CONNECTION_TIMEOUT'],
    ['connection_failed', undefined],
    ['certificate_invalid', 'EPROTO'],
    ['certificate_invalid', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['certificate_invalid', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['certificate_invalid', 'ERROR_IN_CERT_NOT_BEFORE_FIELD'],
    ['certificate_invalid', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['certificate_invalid', 'CERT_REVOKED'],
    ['answer_malformed', 'HPE_INVALID_VERSION'],
  ])('is %s after the error %s', async (failure, code) => {
    const { port } = await tcpEndpoint()
    const outgoing = http.request({ host: '127.0.0.1', port, agent: false })
    outgoing.destroy(Object.assign(new Error('a text of the endpoint'), { code }))
    expect(await endpointOutcome(outgoing, 0)).toEqual({ failure })
  })
})

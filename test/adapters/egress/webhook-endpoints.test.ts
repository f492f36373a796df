import tls from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { httpsWebhookEndpoints } from '../../../lib/adapters/egress/webhook-endpoints.ts'
import {
  answered,
  authority,
  endpointsWith,
  faultyIdentities,
  httpsEndpoint,
  messageTo,
  outcomeAt,
  tcpEndpoint,
  tlsEndpoint,
} from './endpoint-fixture.ts'

const accepting = () => httpsEndpoint((_request, response) => response.writeHead(204).end())

describe('D120: the message to a webhook', () => {
  test('is one POST request with these headers and this body', async () => {
    const { port, received } = await accepting()
    const url = new URL(`https://name:word@hooks.example:${port}/a%20b/c?d=e&f#g`)
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,a v1,b',
    }
    const body = '{"name":"Žofie 🦊"}'
    const attempt = await endpointsWith().send({ url, headers, body }, { answerBytes: 0 })
    expect(attempt).toEqual({ ...answered(204), milliseconds: expect.any(Number) })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      request: { method: 'POST', url: '/a%20b/c?d=e&f', httpVersion: '1.1' },
      body,
    })
    const sent = received[0]?.request.rawHeaders.map((text, index) =>
      index % 2 === 0 ? text.toLowerCase() : text,
    )
    const expected = {
      ...headers,
      host: `hooks.example:${port}`,
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
      'user-agent': 'player-nfts',
      connection: 'close',
    }
    expect(sent).toEqual(Object.entries(expected).flat())
  })

  test('can be empty, or a megabyte', async () => {
    const { port, received } = await accepting()
    for (const body of ['', 'x'.repeat(1_000_000)]) await outcomeAt(port, { body })
    expect(received.map(({ body }) => body.length)).toEqual([0, 1_000_000])
  })

  test('names the host in TLS', async () => {
    const names: unknown[] = []
    const { port } = await tlsEndpoint((socket) => {
      names.push(socket.servername, socket.alpnProtocol)
      socket.end('HTTP/1.1 204 \r\n\r\n')
    })
    expect(await outcomeAt(port)).toEqual(answered(204))
    expect(names).toEqual(['hooks.example', false])
  })

  test('has a connection of its own each time, which ends with it', async () => {
    const endpoint = await httpsEndpoint((_request, response) =>
      response.setHeader('connection', 'keep-alive').end('ok'),
    )
    const endpoints = endpointsWith()
    for (const answerBytes of [0, 1, 100])
      await endpoints.send(messageTo(endpoint.port), { answerBytes })
    expect(endpoint.connections).toHaveLength(3)
    await endpoint.abandoned()
  })

  test('leaves no connection to a server that answers and does not read', async () => {
    const reading: (() => unknown)[] = []
    const { connections, port, abandoned } = await tlsEndpoint((socket) => {
      socket.pause().write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      reading.push(() => socket.resume())
    })
    const body = 'x'.repeat(50_000_000)
    expect(await outcomeAt(port, { body, answerBytes: 100 })).toEqual(answered(200, 'ok'))
    for (const read of reading) read()
    await abandoned()
    expect(connections[0]?.bytesRead).toBeLessThan(40_000_000)
  })

  test('is sent over TLS 1.2, too', async () => {
    const { port, received } = await httpsEndpoint((_request, response) => response.end(), {
      maxVersion: 'TLSv1.2',
    })
    expect(await outcomeAt(port)).toEqual(answered(200))
    expect(received).toHaveLength(1)
  })
})

describe('D120: the certificate of a webhook', () => {
  test.each(Object.entries(faultyIdentities))('that is %s: no request', async (_, faulty) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { port, received, connections } = await httpsEndpoint(
      (_request, response) => response.end(),
      faulty,
    )
    expect(await outcomeAt(port)).toEqual({ failure: 'certificate_invalid' })
    expect(connections).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('of an unknown authority: no request', async () => {
    const { port, received, connections } = await accepting()
    const lookup = async () => [{ address: '127.0.0.1' }]
    const endpoints = httpsWebhookEndpoints({ lookup, isPermitted: () => true })
    const attempt = await endpoints.send(messageTo(port), { answerBytes: 0 })
    expect(attempt).toEqual({ failure: 'certificate_invalid', milliseconds: expect.any(Number) })
    expect(connections).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('for a name is not one for its address', async () => {
    const { port, received, connections } = await accepting()
    expect(await outcomeAt(`https://127.0.0.1:${port}/`)).toEqual({
      failure: 'certificate_invalid',
    })
    expect(connections).toHaveLength(1)
    expect(received).toEqual([])
  })

  test('counts for the name that the system finds, too', async () => {
    const { port, received } = await accepting()
    const endpoints = httpsWebhookEndpoints({ isPermitted: () => true, ca: authority })
    const message = messageTo(`https://localhost:${port}/`)
    expect(await endpoints.send(message, { answerBytes: 0 })).toMatchObject(answered(204))
    expect(received).toHaveLength(1)
  })

  test('is worth nothing over TLS 1.1', async () => {
    const defaults = { version: tls.DEFAULT_MIN_VERSION, ciphers: tls.DEFAULT_CIPHERS }
    onTestFinished(() => {
      tls.DEFAULT_MIN_VERSION = defaults.version
      tls.DEFAULT_CIPHERS = defaults.ciphers
    })
    tls.DEFAULT_MIN_VERSION = 'TLSv1'
    tls.DEFAULT_CIPHERS = 'DEFAULT@SECLEVEL=0'
    const { port, received, connections } = await httpsEndpoint(
      (_request, response) => response.end(),
      { maxVersion: 'TLSv1.1' },
    )
    expect(await outcomeAt(port)).toEqual({ failure: 'certificate_invalid' })
    expect(connections).toHaveLength(1)
    expect(received).toEqual([])
  })

  test.each([
    ['no TLS at all', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['an alert', Buffer.from([0x15, 3, 3, 0, 2, 2, 40])],
  ])('is missing: %s', async (_, answer) => {
    const endpoint = await tcpEndpoint((socket) => socket.on('data', () => socket.write(answer)))
    expect(await outcomeAt(endpoint.port)).toEqual({ failure: 'certificate_invalid' })
    await endpoint.abandoned()
  })
})

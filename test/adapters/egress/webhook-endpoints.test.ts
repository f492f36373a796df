import http from 'node:http'
import tls from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isPublicAddress } from '../../../lib/adapters/egress/checked-addresses.ts'
import { httpsWebhookEndpoints } from '../../../lib/adapters/egress/webhook-endpoints.ts'
import {
  answered,
  authority,
  endpointsWith,
  expectNotCalled,
  faultyIdentities,
  finding,
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

const invalid = { failure: 'certificate_invalid' }

/** Expects that a connection is made, and that no request is sent over it. */
function expectNoRequest({ connections, received }: Awaited<ReturnType<typeof httpsEndpoint>>) {
  expect([connections.length, received]).toEqual([1, []])
}

describe('D120: the certificate of a webhook', () => {
  test.each(Object.entries(faultyIdentities))('that is %s: no request', async (_, faulty) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const endpoint = await httpsEndpoint((_request, response) => response.end(), faulty)
    expect(await outcomeAt(endpoint.port)).toEqual(invalid)
    expectNoRequest(endpoint)
  })

  test('of an unknown authority: no request', async () => {
    const endpoint = await accepting()
    const lookup = async () => [{ address: '127.0.0.1' }]
    const endpoints = httpsWebhookEndpoints({ lookup, isPermitted: () => true })
    const attempt = await endpoints.send(messageTo(endpoint.port), { answerBytes: 0 })
    expect(attempt).toEqual({ ...invalid, milliseconds: expect.any(Number) })
    expectNoRequest(endpoint)
  })

  test('for a name is not one for its address', async () => {
    const endpoint = await accepting()
    expect(await outcomeAt(`https://127.0.0.1:${endpoint.port}/`)).toEqual(invalid)
    expectNoRequest(endpoint)
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
    const endpoint = await httpsEndpoint((_request, response) => response.end(), {
      maxVersion: 'TLSv1.1',
    })
    expect(await outcomeAt(endpoint.port)).toEqual(invalid)
    expectNoRequest(endpoint)
  })

  test.each([
    ['no TLS at all', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['an alert', Buffer.from([0x15, 3, 3, 0, 2, 2, 40])],
  ])('is missing: %s', async (_, answer) => {
    const endpoint = await tcpEndpoint((socket) => socket.on('data', () => socket.write(answer)))
    expect(await outcomeAt(endpoint.port)).toEqual(invalid)
    await endpoint.abandoned()
  })
})

describe('D120: a webhook on the machine of npm start', () => {
  const local = { permitsLoopback: true, isPermitted: isPublicAddress }

  test.each(['127.0.0.1', '127.0.0.1.', '0x7f.1', '127.1', '2130706433'])(
    'is called with http if its host is 127.0.0.1: %s',
    async (host) => {
      const received: string[] = []
      const { port } = await tcpEndpoint((socket) =>
        socket.once('data', (data) => {
          received.push(data.toString())
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        }),
      )
      const lookup = finding('8.8.8.8')
      const url = `http://${host}:${port}/a?b`
      const outcome = await outcomeAt(url, { ...local, lookup, answerBytes: 10 })
      expect(outcome).toEqual(answered(200, 'ok'))
      expect(lookup).not.toHaveBeenCalled()
      expect(received).toHaveLength(1)
      expect(received[0]).toMatch(/^POST \/a\?b HTTP\/1\.1\r\n/)
      expect(received[0]).toContain(`\r\nhost: 127.0.0.1:${port}\r\n`)
      expect(received[0]).toMatch(/\r\n\r\n\{\}$/)
    },
  )

  test.each([
    ...['http://localhost', 'http://127.0.0.2', 'http://[::1]', 'http://[::ffff:127.0.0.1]'],
    ...['http://0.0.0.0', 'http://[::]', 'http://127.0.0.1.nip.example', 'http://10.0.0.1'],
    ...['http://8.8.8.8', 'http://hooks.example', 'http://169.254.169.254'],
    ...['ftp://127.0.0.1', 'ws://127.0.0.1', 'wss://127.0.0.1', 'gopher://127.0.0.1'],
    // Also with https, it needs a public address.
    'https://hooks.example',
  ])('is not called as %s', async (beginning) => {
    await expectNotCalled(beginning, { ...local, lookup: finding('127.0.0.1') })
  })

  test('is not called with http in a deployment', async () => {
    for (const isPermitted of [isPublicAddress, () => true])
      await expectNotCalled('http://127.0.0.1', { isPermitted })
  })
})

describe('D120: a proxy of the environment', () => {
  test('is not used', async () => {
    const proxy = await tcpEndpoint((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    const url = `http://127.0.0.1:${proxy.port}`
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, url)
      vi.stubEnv(name.toUpperCase(), url)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    onTestFinished(http.setGlobalProxyFromEnv({ http_proxy: url, https_proxy: url }))
    const { port } = await httpsEndpoint((_request, response) => response.writeHead(204).end())
    expect(await outcomeAt(port)).toEqual(answered(204))
    const local = await tcpEndpoint((socket) => socket.end('HTTP/1.1 204 \r\n\r\n'))
    const target = `http://127.0.0.1:${local.port}/`
    expect(await outcomeAt(target, { permitsLoopback: true })).toEqual(answered(204))
    expect(proxy.connections).toEqual([])
    // Other requests of this process do use the proxy.
    const { statusCode } = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(target, resolve).on('error', reject)
    })
    expect(statusCode).toBe(502)
  })
})

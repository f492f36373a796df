import http from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isPublicAddress } from '../../../lib/adapters/egress/checked-addresses.ts'
import {
  answered,
  countedRequests,
  finding,
  httpsEndpoint,
  outcomeAt,
  tcpEndpoint,
} from './endpoint-fixture.ts'

const notPublic = { failure: 'address_not_public' }

describe('D120: a webhook on the machine of npm start', () => {
  const local = { permitsLoopback: true, isPermitted: isPublicAddress }

  async function httpEndpoint() {
    const received: string[] = []
    const endpoint = await tcpEndpoint((socket) =>
      socket.once('data', (data) => {
        received.push(data.toString())
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      }),
    )
    return { ...endpoint, received }
  }

  test.each(['127.0.0.1', '127.0.0.1.', '0x7f.1', '127.1', '2130706433'])(
    'is called with http if its host is 127.0.0.1: %s',
    async (host) => {
      const { port, received } = await httpEndpoint()
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
    ...['localhost', '127.0.0.2', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'],
    ...['127.0.0.1.nip.example', '10.0.0.1', '8.8.8.8', 'hooks.example', '169.254.169.254'],
  ])('is not called with http if it is %s', async (host) => {
    const { port, connections } = await httpEndpoint()
    const requests = countedRequests()
    const lookup = finding('127.0.0.1')
    const outcome = await outcomeAt(`http://${host}:${port}/`, { ...local, lookup })
    expect(outcome).toEqual(notPublic)
    expect(requests.count).toBe(0)
    expect(connections).toEqual([])
  })

  test.each(['ftp:', 'ws:', 'wss:', 'gopher:'])('is not called with %s', async (scheme) => {
    const { port, connections } = await httpEndpoint()
    const requests = countedRequests()
    expect(await outcomeAt(`${scheme}//127.0.0.1:${port}/`, local)).toEqual(notPublic)
    expect(requests.count).toBe(0)
    expect(connections).toEqual([])
  })

  test('is not called with http in a deployment', async () => {
    const { port, connections } = await httpEndpoint()
    for (const isPermitted of [isPublicAddress, () => true]) {
      expect(await outcomeAt(`http://127.0.0.1:${port}/`, { isPermitted })).toEqual(notPublic)
    }
    expect(connections).toEqual([])
  })

  test('needs public addresses with https, too', async () => {
    const { port, connections } = await httpEndpoint()
    const lookup = finding('127.0.0.1')
    expect(await outcomeAt(port, { ...local, lookup })).toEqual(notPublic)
    expect(connections).toEqual([])
  })
})

describe('D120: a proxy of the environment', () => {
  test('is not used', async () => {
    const proxy = await tcpEndpoint((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    const url = `http://127.0.0.1:${proxy.port}`
    const names = [
      'http_proxy',
      'https_proxy',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'all_proxy',
      'ALL_PROXY',
    ]
    for (const name of names) vi.stubEnv(name, url)
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

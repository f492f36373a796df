import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import tls, { type TlsOptions } from 'node:tls'
import { expect, onTestFinished, vi } from 'vitest'
import type { HostLookup } from '../../../lib/adapters/egress/checked-addresses.ts'
import {
  type EndpointOptions,
  httpsWebhookEndpoints,
} from '../../../lib/adapters/egress/webhook-endpoints.ts'
import type { EndpointMessage } from '../../../lib/domain/ports/webhooks.ts'

/** A file of the folder `certificates`. All of them are valid for 100 years, except the one that has expired. */
const pem = (name: string) => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url))

/** The certificate of the authority that has signed the others. */
export const authority = pem('authority').toString()

/** A certificate for hooks.example and localhost, with its key. */
export const identity = { cert: pem('hooks'), key: pem('key') }

/** Certificates with a fault, with their key. */
export const faultyIdentities = {
  'of another name': { cert: pem('other-name'), key: pem('key') },
  expired: { cert: pem('expired'), key: pem('key') },
}

/** Has a server listen on a free port of 127.0.0.1 until the test ends. Returns the connections that it has accepted, too. */
async function listening(server: Server) {
  const connections: Socket[] = []
  server.on('connection', (socket) => {
    connections.push(socket)
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of connections) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    /** Waits until none of its connections is open, of which there was at least one. */
    abandoned: () =>
      vi.waitFor(() => {
        if (connections.length === 0 || connections.some((socket) => !socket.destroyed))
          throw new Error('A connection is open, or there was none.')
      }, 30_000),
  }
}

export const tcpEndpoint = (onSocket: (socket: Socket) => unknown = () => undefined) =>
  listening(net.createServer(onSocket))

/** A server for TLS that can answer anything. */
export function tlsEndpoint(
  onSocket: (socket: tls.TLSSocket) => unknown,
  options: TlsOptions = {},
) {
  const server = tls.createServer({ ...identity, ...options }, (socket) => {
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  return listening(server.on('tlsClientError', () => undefined))
}

/** A server for HTTPS, with all requests that it has received. */
export async function httpsEndpoint(listener: RequestListener, options: TlsOptions = {}) {
  const received: { request: IncomingMessage; body: string }[] = []
  const server = https.createServer({ ...identity, ...options }, async (request, response) => {
    const item = { request, body: '' }
    received.push(item)
    for await (const chunk of request) item.body += chunk
    listener(request, response)
  })
  return { ...(await listening(server.on('tlsClientError', () => undefined))), received }
}

/** Endpoints for which 127.0.0.1 is a public address and the one of every host, and the authority of the tests is trusted. */
export const endpointsWith = (options: EndpointOptions = {}) =>
  httpsWebhookEndpoints({
    lookup: async () => [{ address: '127.0.0.1' }],
    isPermitted: (address) => address === '127.0.0.1',
    ca: authority,
    ...options,
  })

/** A lookup that answers these addresses, and counts its calls. */
export const finding = (...addresses: string[]) =>
  vi.fn<HostLookup>(async () => addresses.map((address) => ({ address })))

export const messageTo = (target: number | string, body = '{}'): EndpointMessage => ({
  url: new URL(typeof target === 'string' ? target : `https://hooks.example:${target}/`),
  headers: { 'webhook-id': 'evt_1' },
  body,
})

/** What becomes of one attempt, without its duration. */
export async function outcomeAt(
  target: number | string,
  options: EndpointOptions & { answerBytes?: number; body?: string } = {},
) {
  const { answerBytes = 0, body, ...others } = options
  const sending = endpointsWith(others).send(messageTo(target, body), { answerBytes })
  const { milliseconds: _, ...outcome } = await sending
  return outcome
}

export const answered = (status: number, body = '', retryAfterSeconds?: number) => ({
  answer: { status, body, retryAfterSeconds },
})

/** Counts the requests that begin in this process until the test ends, whatever becomes of them. */
export function countedRequests(): { count: number } {
  const begun = { count: 0 }
  const count = () => {
    begun.count += 1
  }
  const created = channel('http.client.request.created')
  created.subscribe(count)
  onTestFinished(() => {
    created.unsubscribe(count)
  })
  return begun
}

/** Expects that a message to a URL with this beginning and the port of a server is not sent, and begins no request. */
export async function expectNotCalled(beginning: string, options: EndpointOptions = {}) {
  const { port, connections } = await tcpEndpoint()
  const requests = countedRequests()
  const outcome = await outcomeAt(`${beginning}:${port}/`, options)
  expect(outcome).toEqual({ failure: 'address_not_public' })
  expect([requests.count, connections]).toEqual([0, []])
}

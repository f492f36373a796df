import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { isIP, type TcpSocketConnectOpts } from 'node:net'
import type { EndpointMessage, WebhookEndpoints } from '../../domain/ports/webhook-endpoints.ts'
import {
  type AddressRules,
  type CheckedAddress,
  checkedAddresses,
  hostOf,
  systemLookup,
} from './checked-addresses.ts'
import { type Outcome, outcomeOf } from './endpoint-answer.ts'
import { isPublicAddress } from './public-address.ts'

/** The time of an attempt from the lookup to the last wanted byte of the answer, in milliseconds. */
const attemptMilliseconds = 15_000

/** The time after which another address of the host is tried, in milliseconds. The last one has all the time that is left. */
const addressMilliseconds = 3_000

/** The most bytes of the status line and the headers of an answer. */
const maxHeaderBytes = 16_384

/** The name with which the service calls webhooks. */
const userAgent = 'player-nfts'

/** How webhooks are called. Only `npm start` sets `permitsLoopback`, and only tests set the others. */
export interface EndpointOptions extends Partial<AddressRules> {
  /** The certificates of the authorities that are trusted in place of those of Node. */
  ca?: string
  timeoutMilliseconds?: number
}

/**
 * The servers of webhooks over HTTPS. Strangers choose the URLs, so an attempt connects only to addresses that it has found with one lookup
 * and judged (D120), follows no redirects, uses no proxy, and always verifies the certificate. It takes 15 s at most, reads no more of
 * the answer than is wanted, and leaves no connection. With the body not wanted, the status and the headers are the answer. With
 * `permitsLoopback`, it also calls `http` on 127.0.0.1.
 */
export function httpsWebhookEndpoints(options: EndpointOptions = {}): WebhookEndpoints {
  const {
    permitsLoopback = false,
    lookup = systemLookup,
    isPermitted = isPublicAddress,
    timeoutMilliseconds = attemptMilliseconds,
  } = options

  async function attempt(
    message: EndpointMessage,
    answerBytes: number,
    ended: AbortSignal,
  ): Promise<Outcome> {
    const rules = { permitsLoopback, lookup, isPermitted }
    const addresses = await checkedAddresses(message.url, rules)
    if (typeof addresses === 'string') return { failure: addresses }
    if (ended.aborted) return { failure: 'timeout' }
    const outgoing = requestFor(message, addresses, options.ca)
    // The socket, not the request: one whose answer is complete leaves its socket open until everything is sent.
    ended.addEventListener('abort', () => outgoing.socket?.destroy())
    outgoing.end(message.body)
    return await outcomeOf(outgoing, answerBytes)
  }

  return {
    async send(message, { answerBytes }) {
      const began = performance.now()
      const outcome = await inTime(timeoutMilliseconds, (ended) =>
        attempt(message, answerBytes, ended),
      )
      return { ...outcome, milliseconds: Math.round(performance.now() - began) }
    },
  }
}

/** The outcome of an attempt, or `timeout` after that many milliseconds. `ended` aborts then, or as soon as there is an outcome. */
async function inTime(
  milliseconds: number,
  attempt: (ended: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const ending = new AbortController()
  const { promise: timeIsUp, resolve } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(resolve, milliseconds, { failure: 'timeout' })
  try {
    return await Promise.race([attempt(ending.signal), timeIsUp])
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

/** Calls one address after another, until one accepts the connection. */
const inTurn = {
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: addressMilliseconds,
} as const satisfies Partial<TcpSocketConnectOpts>

/** A request whose socket connects to one of these addresses, without another lookup. Nothing is sent before its end. */
function requestFor(
  { url, headers, body }: EndpointMessage,
  addresses: CheckedAddress[],
  ca: string | undefined,
): ClientRequest {
  const host = hostOf(url)
  const { request } = url.protocol === 'https:' ? https : http
  return request({
    method: 'POST',
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': userAgent,
      connection: 'close',
    },
    maxHeaderSize: maxHeaderBytes,
    // An agent of its own: none that keeps connections, or that the environment has given a proxy.
    agent: false,
    lookup: (_host, _options, callback) => callback(null, addresses),
    ...inTurn,
    // An address is no name that a client may indicate (RFC 6066, section 3).
    servername: isIP(host) === 0 ? host : '',
    // Explicit, because variables of Node could turn it off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  })
}

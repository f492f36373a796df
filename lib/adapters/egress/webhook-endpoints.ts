import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { isIP, type TcpSocketConnectOpts } from 'node:net'
import type {
  Attempt,
  EndpointMessage,
  Patience,
  WebhookEndpoints,
} from '../../domain/ports/webhooks.ts'
import {
  type AddressRules,
  type CheckedAddress,
  checkedAddresses,
  hostOf,
  isPublicAddress,
  systemLookup,
} from './checked-addresses.ts'
import { type Outcome, outcomeOf } from './endpoint-answer.ts'

/** The time of an attempt from the lookup to the last wanted byte of the answer, in milliseconds. */
const attemptMilliseconds = 15_000

/** The time after which another address of the host is tried, in milliseconds. The last one has all the time that is left. */
const addressMilliseconds = 3_000

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
    async send(message, { answerBytes, patience }) {
      const began = performance.now()
      const times = { milliseconds: timeoutMilliseconds, patience }
      const outcome = await inTime(times, (ended) => attempt(message, answerBytes, ended))
      return { ...outcome, milliseconds: Math.round(performance.now() - began) }
    },
  }
}

/**
 * The outcome of an attempt, or `timeout` after that many milliseconds, or when it may not wait any longer. `ended` aborts then, or as soon as
 * there is an outcome.
 */
async function inTime(
  { milliseconds, patience }: { milliseconds: number; patience: Patience | undefined },
  attempt: (ended: AbortSignal) => Promise<Outcome>,
): Promise<Outcome & Pick<Attempt, 'isGivenUp'>> {
  const ending = new AbortController()
  const timeout = { failure: 'timeout' } as const
  const timeIsUp = Promise.withResolvers<typeof timeout & Pick<Attempt, 'isGivenUp'>>()
  const timer = setTimeout(timeIsUp.resolve, milliseconds, timeout)
  const patienceTimer = setTimeout(async () => {
    // Also if nobody can say it.
    const mayWait = await patience?.mayWait().catch(() => false)
    if (mayWait === false) timeIsUp.resolve({ ...timeout, isGivenUp: true })
  }, patience?.milliseconds ?? milliseconds)
  try {
    return await Promise.race([attempt(ending.signal), timeIsUp.promise])
  } finally {
    clearTimeout(timer)
    clearTimeout(patienceTimer)
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
      'user-agent': 'player-nfts',
      connection: 'close',
    },
    maxHeaderSize: 16_384,
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

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** A request on its way to the service behind the proxy. */
export interface ProxiedRequest {
  /** `DynamoDB`, `KMS`, `SQS`, `SecretsManager`; `HTTP` for what does not speak AWS JSON. */
  service: string
  /** `BatchWriteItem`, `Sign`, …; for HTTP the method and path, without the query: `GET /a/b`. */
  action: string
  /** The path and query. */
  path: string
  /** Parsed JSON; the text if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  body: any
  /** How many requests of the same service and action came before. */
  index: number
  /** 1, or the number of the attempt if an AWS SDK retries the request. */
  attempt: number
}

/** An answer; a body that is not text is sent as JSON. */
export interface ProxiedAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** What to do instead: answer this, cut the connection, or never answer. */
export type Fault = ProxiedAnswer | 'drop' | 'hang'

type Judged = Fault | undefined | Promise<Fault | undefined>

export interface FaultProxyOptions {
  /** The URL of the service behind the proxy. */
  target: string
  /** Judges each request before it is passed on; what it answers keeps the request from its service. */
  onRequest?: (request: ProxiedRequest) => Judged
  /** Judges each answer of the service, which has carried the request out by then. */
  onResponse?: (request: ProxiedRequest, answer: Required<ProxiedAnswer>) => Judged
}

/** A running proxy. */
export interface FaultProxy {
  url: string
  /** Every request so far, in the order of arrival. */
  requests: ProxiedRequest[]
  /** How many requests of this action there were so far. */
  count(action: string): number
  close(): Promise<void>
}

/**
 * Stands on 127.0.0.1 in front of a service, records what it is asked, and gets in the way where told
 * to. Ends with the test (or, when called in a hook, with what `onEnd` is given).
 */
export async function startFaultProxy(
  options: FaultProxyOptions,
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<FaultProxy> {
  const requests: ProxiedRequest[] = []
  const counts = new Map<string, number>()
  const record = (incoming: IncomingMessage, bytes: Buffer) => {
    const request = describe(incoming, bytes)
    const kind = `${request.service} ${request.action}`
    const index = counts.get(kind) ?? 0
    counts.set(kind, index + 1)
    requests.push({ ...request, index })
    return requests.at(-1) as ProxiedRequest
  }
  const server = createServer((incoming, response) => {
    pass(options, record, incoming, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = async () => {
    // A test may have closed it already, to be refused.
    if (!server.listening) return
    const closed = promisify(server.close.bind(server))()
    server.closeAllConnections()
    await closed
  }
  onEnd(close)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    count: (action) => requests.filter((asked) => asked.action === action).length,
    close,
  }
}

async function pass(
  { target, onRequest, onResponse }: FaultProxyOptions,
  record: (incoming: IncomingMessage, bytes: Buffer) => ProxiedRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await buffer(incoming)
  const asked = record(incoming, bytes)
  const early = await onRequest?.(asked)
  if (early) return carryOut(early, response)
  const answer = await forward(target, incoming, bytes)
  const body = answer.bytes.toString()
  const late = await onResponse?.(asked, { status: answer.status, headers: answer.headers, body })
  if (late) return carryOut(late, response)
  response.writeHead(answer.status, answer.headers).end(answer.bytes)
}

const services: Record<string, string> = {
  DynamoDB_20120810: 'DynamoDB',
  TrentService: 'KMS',
  AmazonSQS: 'SQS',
  secretsmanager: 'SecretsManager',
}

function describe(
  { method, url: path = '/', headers }: IncomingMessage,
  bytes: Buffer,
): Omit<ProxiedRequest, 'index'> {
  const [prefix = '', name] = String(headers['x-amz-target'] ?? '').split('.')
  const service = services[prefix] ?? 'HTTP'
  const action = name ?? `${method} ${path.split('?')[0]}`
  const [, attempt = '1'] = /attempt=(\d+)/.exec(String(headers['amz-sdk-request'])) ?? []
  return { service, action, path, body: parse(bytes.toString()), attempt: Number(attempt) }
}

function carryOut(fault: Fault, response: ServerResponse): void {
  if (fault === 'hang') return
  if (fault === 'drop') {
    response.destroy()
    return
  }
  const { status, headers = { 'content-type': 'application/json' }, body = '' } = fault
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function forward(
  target: string,
  { method, url = '/', headers }: IncomingMessage,
  bytes: Buffer,
) {
  const outgoing = request(target, { method, path: url, headers })
  outgoing.end(bytes)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return {
    status: answer.statusCode ?? 500,
    headers: answer.headers as Record<string, string>,
    bytes: await buffer(answer),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { serve } from '../services/http-server.ts'
import type { OnEnd } from '../vitest/at-file-end.ts'

/** A request that the proxy has received. */
export interface ProxiedRequest {
  /** `DynamoDB`, `KMS`, `SQS`, `SecretsManager`; `HTTP` for requests that are not in AWS JSON. */
  service: string
  /** `BatchWriteItem`, `Sign`, …; for HTTP the method and path without the query, such as `GET /a/b`. */
  action: string
  /** The access key id of its signature; `nobody` without one. */
  caller: string
  /** The path and query. */
  path: string
  /** Parsed JSON, or the text if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  body: any
  /** The number of earlier requests with the same service and action. */
  index: number
  /** The same for all attempts of a request. */
  id: string
  /** The number of this attempt among those that have arrived: an AWS SDK can give one up before it arrives. */
  attempt: number
}

/** A response; a body that is not text is sent as JSON. */
export interface ProxiedAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** The fault: this response, a closed connection, or no response at all. */
export type Fault = ProxiedAnswer | 'drop' | 'hang'

type Judged = Fault | undefined | Promise<Fault | undefined>

/** What a proxy does with requests and responses; by default nothing. */
export interface Faults {
  /** Adds members to the body of a request that is passed on. */
  extend?: (request: ProxiedRequest) => object | false | undefined
  /** Called before a request is passed on; a returned fault replaces the request. */
  onRequest?: (request: ProxiedRequest) => Judged
  /** Called after the service has carried out the request; a returned fault replaces the response. */
  onResponse?: (request: ProxiedRequest, answer: Required<ProxiedAnswer>) => Judged
}

export interface FaultProxyOptions extends Faults {
  /** The URL of the service behind the proxy. */
  target: string
}

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

/**
 * A proxy on 127.0.0.1 that records the requests to a service, and can replace requests and responses
 * with faults. Ends with the test, or, when called in a hook, with `onEnd`.
 */
export async function startFaultProxy(
  { target, ...beginning }: FaultProxyOptions,
  onEnd: OnEnd = onTestFinished,
) {
  let faults: Faults = beginning
  let close: () => void = () => undefined
  /** All requests so far, in the order of arrival. */
  const requests: ProxiedRequest[] = []
  const counts = new Map<string, number>()
  /** Counts one more of a kind, and returns the number of those before. */
  const countOne = (kind: string) => {
    const before = counts.get(kind) ?? 0
    counts.set(kind, before + 1)
    return before
  }
  const record = (incoming: IncomingMessage, bytes: Buffer) => {
    const request = describe(incoming, bytes)
    const index = countOne(`${request.service} ${request.action}`)
    const attempt = countOne(request.id) + 1
    requests.push({ ...request, index, attempt })
    return requests.at(-1) as ProxiedRequest
  }
  const url = await serve(
    (incoming, response) => {
      pass(target, faults, record, incoming, response).catch(() => response.destroy())
    },
    (end) => {
      close = end
      onEnd(end)
    },
  )
  return {
    ...{ url, requests },
    /** The number of requests with this action so far. */
    count: (action: string) => requests.filter((received) => received.action === action).length,
    /** Sets the faults from now on; an empty object removes them. */
    interfere(next: Faults): void {
      faults = next
    },
    /** Has connections refused from now on. */
    close,
  }
}

async function pass(
  target: string,
  { extend, onRequest, onResponse }: Faults,
  record: (incoming: IncomingMessage, bytes: Buffer) => ProxiedRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await buffer(incoming)
  const received = record(incoming, bytes)
  const early = await onRequest?.(received)
  if (early) return carryOut(early, response)
  const members = extend?.(received)
  const sent = members ? Buffer.from(JSON.stringify({ ...received.body, ...members })) : bytes
  const answer = await forward(target, incoming, sent)
  const body = answer.bytes.toString()
  const late = await onResponse?.(received, {
    status: answer.status,
    headers: answer.headers,
    body,
  })
  if (late) return carryOut(late, response)
  response.writeHead(answer.status, answer.headers).end(answer.bytes)
}

const services: Record<string, string> = {
  DynamoDB_20120810: 'DynamoDB',
  TrentService: 'KMS',
  AmazonSQS: 'SQS',
  secretsmanager: 'SecretsManager',
}

function describe({ method, url: path = '/', headers }: IncomingMessage, bytes: Buffer) {
  const [prefix = '', name] = String(headers['x-amz-target'] ?? '').split('.')
  const service = services[prefix] ?? 'HTTP'
  const action = name ?? `${method} ${path.split('?')[0]}`
  const id = String(headers['amz-sdk-invocation-id'] ?? randomUUID())
  const [, caller = 'nobody'] = /Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? []
  return { service, action, caller, path, body: parse(bytes.toString()), id }
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
  const length = headers['content-length'] && { 'content-length': String(bytes.length) }
  const outgoing = request(target, { method, path: url, headers: { ...headers, ...length } })
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

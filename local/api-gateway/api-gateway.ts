import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { InvokeResult } from '../lambda/lambda-function.ts'
import { readBody } from '../read-body.ts'
import { type Cors, corsHeaders, isPreflight } from './cors.ts'
import { functionResponse, type GatewayResponse } from './function-response.ts'
import {
  gatewayError,
  isHeadTooLarge,
  maxEventBytes,
  respondToMalformedRequests,
} from './refused-requests.ts'
import { requestEvent, targetOf } from './request-event.ts'
import { type GatewayRoute, type RouteTable, routeTable } from './route-table.ts'

export interface ServedRequest {
  method: string
  /** As the client sent it, without the query. */
  path: string
  status: number
  milliseconds: number
}

export interface GatewayOptions {
  /** 0 selects a free port. */
  port: number
  routes: readonly GatewayRoute[]
  /**
   * Calls a function. `until`: when the gateway answers in its place, in milliseconds since 1970. What has not begun
   * by then must not be carried out.
   */
  invoke(functionName: string, event: APIGatewayProxyEventV2, until: number): Promise<InvokeResult>
  cors: Cors
  /** The timeout of a function call, by default the 30 s of an HTTP API. */
  integrationTimeoutSeconds?: number
  /** Receives the reason why a function has no valid response; by default the console. */
  log?: (line: string) => void
  /** Receives each request after its response. */
  served?: (request: ServedRequest) => void
  /**
   * Responses to requests on paths without a route. API Gateway has no such responses. They have no headers of CORS, so
   * that other sites cannot read them.
   */
  page?: (request: PageRequest) => Promise<GatewayResponse | undefined>
  /** Why a request is answered with 403, whatever its path; `undefined` if it is not. API Gateway refuses none. */
  refusal?: (request: {
    /** By lower-case name. */
    headers: IncomingHttpHeaders
    /** The function of the route; absent if there is none. */
    functionName?: string | undefined
  }) => string | undefined
}

/** A request on a path without a route. */
export interface PageRequest {
  method: string
  /** The decoded path. */
  path: string
  /** By lower-case name. */
  headers: IncomingHttpHeaders
}

export interface ApiGateway {
  url: string
  /**
   * Stops listening and waits for the requests in progress, for at most `patienceSeconds`, by default 2, and
   * until `cut` is aborted. Then it closes their connections.
   */
  close(options?: { patienceSeconds?: number; cut?: AbortSignal }): Promise<void>
}

/** In bytes. It exceeds the gateway's own limit, so that most requests over that limit get a response. */
const maxHeaderSize = 65_536

/**
 * Serves an API Gateway HTTP API (payload format 2.0, stage `$default`) on 127.0.0.1. Like API Gateway, it
 * passes requests to functions, and responds itself to preflights, unknown routes, requests that are too
 * large, and functions that fail (D3, D6). Rejects with Node's error if the port is not available.
 */
export async function startApiGateway(options: GatewayOptions): Promise<ApiGateway> {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Longer than clients keep idle connections, so that no request meets a connection that closes.
    keepAliveTimeout: 120_000,
    requireHostHeader: false,
  })
  // By default, Node silently ignores all headers after the first 1,000.
  server.maxHeadersCount = 0
  const routes = routeTable(options.routes)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomBytes(11).toString('base64')
    const startedAt = performance.now()
    const gatewayResponse = await responseTo(request, requestId, routes, options)
    if (!server.listening) response.setHeader('connection', 'close')
    const { isPage = false } = gatewayResponse
    send(response, requestId, gatewayResponse, isPage ? {} : corsHeaders(options.cors, request))
    const { method = '', url = '' } = request
    const [path = ''] = url.split('?')
    const milliseconds = performance.now() - startedAt
    options.served?.({ method, path, status: gatewayResponse.status, milliseconds })
  }
  server.on('request', serve)
  server.on('checkExpectation', serve)
  respondToMalformedRequests(server)
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close: ApiGateway['close'] = async ({ patienceSeconds = 2, cut } = {}) => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    const closeConnections = () => server.closeAllConnections()
    const deadline = setTimeout(closeConnections, patienceSeconds * 1000)
    cut?.addEventListener('abort', closeConnections)
    await closed
    clearTimeout(deadline)
    cut?.removeEventListener('abort', closeConnections)
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

async function responseTo(
  request: IncomingMessage,
  requestId: string,
  routes: RouteTable,
  options: GatewayOptions,
): Promise<GatewayResponse & { isPage?: boolean }> {
  if (isHeadTooLarge(request)) return gatewayError(431)
  if (request.httpVersion !== '1.0' && request.headers.host === undefined) return gatewayError(400)
  const { method = '', headers } = request
  const target = targetOf(request)
  const route = target && routes(method, target.path)
  const refusal = options.refusal?.({ headers, functionName: route?.functionName })
  if (refusal !== undefined) return gatewayError(403, refusal)
  if (isPreflight(request)) return { status: 204, headers: {}, body: Buffer.alloc(0) }
  if (!route) {
    const page = target && (await options.page?.({ method, path: target.path, headers }))
    return page ? { ...page, isPage: true } : gatewayError(404)
  }
  const body = await readBody(request, maxEventBytes)
  if (!body) return gatewayError(413)
  const event = requestEvent(request, { ...target, ...route }, body, requestId)
  if (Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return gatewayError(413)
  return invokeFunction(route.functionName, event, options)
}

async function invokeFunction(
  functionName: string,
  event: APIGatewayProxyEventV2,
  options: GatewayOptions,
): Promise<GatewayResponse> {
  const { log = console.error, integrationTimeoutSeconds = 30 } = options
  const milliseconds = integrationTimeoutSeconds * 1000
  try {
    const called = options.invoke(functionName, event, Date.now() + milliseconds)
    const result = await withTimeout(milliseconds, called)
    if (result === 'timed out') return gatewayError(503)
    if (!result.ok) return gatewayError(result.errorType === 'Sandbox.Timedout' ? 503 : 500)
    return functionResponse(result.payload)
  } catch (error) {
    log(`${functionName}: ${(error as Error).message}`)
    return gatewayError(500)
  }
}

async function withTimeout<T>(milliseconds: number, result: Promise<T>): Promise<T | 'timed out'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timed out'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'timed out')
  })
  return await Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}

function send(
  response: ServerResponse,
  requestId: string,
  { status, headers, body }: GatewayResponse,
  cors: Record<string, string>,
): void {
  // The client may have disconnected, or may already have the response to a malformed request. A response that waits
  // for the one of an earlier request has no socket yet.
  if (response.destroyed || !response.req.socket.writable) return
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length }
  response.writeHead(status, { ...headers, ...cors, 'apigw-requestid': requestId, ...length })
  response.end(body)
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { InvokeResult } from '../lambda/lambda-function.ts'
import { answerBrokenRequests } from './broken-requests.ts'
import { type Cors, corsHeaders, isPreflight } from './cors.ts'
import { functionResponse, type GatewayResponse } from './function-response.ts'
import { gatewayError } from './gateway-error.ts'
import { requestEvent, targetOf } from './request-event.ts'
import { isHeadTooLarge, maxEventBytes, readBody } from './request-limits.ts'

/** Which function answers a method on a path, which is matched literally. */
export interface GatewayRoute {
  method: string
  path: string
  functionName: string
}

/** What an API is made of. */
export interface GatewayOptions {
  /** 0 takes a free one. */
  port: number
  routes: readonly GatewayRoute[]
  invoke(functionName: string, event: APIGatewayProxyEventV2): Promise<InvokeResult>
  cors: Cors
  /** How long a function may take, by default the 30 s of an HTTP API. */
  integrationTimeoutSeconds?: number
  /** Told why a function's response could not be passed on; by default the console. */
  log?: (line: string) => void
}

/** A running API. */
export interface ApiGateway {
  url: string
  /** Stops listening, gives requests under way 2 s to end, then drops their connections. */
  close(): Promise<void>
}

/** Longer than any head that clients are likely to send by mistake, so that they get an answer. */
const maxHeaderSize = 65_536

/**
 * Serves an API Gateway HTTP API (payload format 2.0, stage `$default`) on 127.0.0.1: hands requests to
 * functions, and answers by itself what API Gateway does (D3, D6): preflights, unknown routes, what is
 * too large, and functions that fail. Rejects with Node's own error if the port cannot be had.
 */
export async function startApiGateway(options: GatewayOptions): Promise<ApiGateway> {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Longer than clients keep idle connections, so that none is closed under a request on its way.
    keepAliveTimeout: 120_000,
    requireHostHeader: false,
  })
  // By default Node passes over the 1,000th header and those after it in silence.
  server.maxHeadersCount = 0
  const routes = new Map(
    options.routes.map((route) => [`${route.method} ${route.path}`, route.functionName]),
  )
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomBytes(11).toString('base64')
    const answer = await answerTo(request, requestId, routes, options)
    if (!server.listening) response.setHeader('connection', 'close')
    send(response, requestId, answer, corsHeaders(options.cors, request))
  }
  server.on('request', serve)
  server.on('checkExpectation', serve)
  answerBrokenRequests(server)
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    const deadline = setTimeout(() => server.closeAllConnections(), 2000)
    await closed
    clearTimeout(deadline)
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

async function answerTo(
  request: IncomingMessage,
  requestId: string,
  routes: Map<string, string>,
  options: GatewayOptions,
): Promise<GatewayResponse> {
  if (isHeadTooLarge(request)) return gatewayError(431)
  if (request.httpVersion !== '1.0' && request.headers.host === undefined) return gatewayError(400)
  if (isPreflight(request)) return { status: 204, headers: {}, body: Buffer.alloc(0) }
  const target = targetOf(request)
  const functionName = target && routes.get(`${request.method} ${target.path}`)
  if (!functionName) return gatewayError(404)
  const body = await readBody(request)
  if (!body) return gatewayError(413)
  const event = requestEvent(request, target, body, requestId)
  if (Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return gatewayError(413)
  return answerOf(functionName, event, options)
}

/** What a function makes of an event; an error of the gateway's own if it fails. */
async function answerOf(
  functionName: string,
  event: APIGatewayProxyEventV2,
  options: GatewayOptions,
): Promise<GatewayResponse> {
  const { log = console.error } = options
  try {
    const result = await withTimeout(options, options.invoke(functionName, event))
    if (result === 'timed out') return gatewayError(503)
    if (!result.ok) return gatewayError(result.errorType === 'Sandbox.Timedout' ? 503 : 500)
    return functionResponse(result.payload)
  } catch (error) {
    log(`${functionName}: ${(error as Error).message}`)
    return gatewayError(500)
  }
}

async function withTimeout<T>(
  { integrationTimeoutSeconds = 30 }: GatewayOptions,
  result: Promise<T>,
): Promise<T | 'timed out'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timed out'>((resolve) => {
    timer = setTimeout(resolve, integrationTimeoutSeconds * 1000, 'timed out')
  })
  return await Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}

function send(
  response: ServerResponse,
  requestId: string,
  { status, headers, cookies, body }: GatewayResponse,
  cors: Record<string, string>,
): void {
  // The client may be gone, or have had its answer when the rest of its request turned out broken.
  if (response.destroyed || !response.socket?.writable) return
  if (cookies && cookies.length > 0) response.setHeader('set-cookie', cookies)
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length }
  response.writeHead(status, { ...headers, ...cors, 'apigw-requestid': requestId, ...length })
  response.end(body)
}

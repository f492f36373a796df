import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { MatchedRoute } from './route-table.ts'

type RouteOfEvent = Pick<MatchedRoute, 'routeKey' | 'pathParameters'>

/** The target of a request: its path, and its query string as the client sent it. */
interface Target {
  path: string
  rawQueryString: string
}

/**
 * Returns the target of a request. The path is percent-decoded, because an HTTP API uses the decoded path
 * for routes and `rawPath` (https://github.com/aws/aws-lambda-dotnet/pull/1901). Returns `undefined` if it
 * cannot be decoded.
 */
export function targetOf(request: IncomingMessage): Target | undefined {
  // The absolute form, for proxies, contains the host.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '')
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  try {
    return {
      path: decodeURIComponent(path),
      rawQueryString: queryAt < 0 ? '' : target.slice(queryAt + 1),
    }
  } catch {
    return undefined
  }
}

/** The headers that belong to the connection, not to the request, and that of cookies, which no function reads (D6). */
const unusedHeaders = new Set([
  'connection',
  'cookie',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Returns the event of payload format 2.0 for a request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function requestEvent(
  request: IncomingMessage,
  { path, rawQueryString, routeKey, pathParameters }: Target & RouteOfEvent,
  body: Buffer,
  requestId: string,
): APIGatewayProxyEventV2 {
  const sent = joinedHeaders(request.rawHeaders)
  const query = joinedQuery(rawQueryString)
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    headers: { ...sent, ...gatewayHeaders(request, sent, body) },
    ...(query && { queryStringParameters: query }),
    ...(pathParameters && { pathParameters }),
    requestContext: { ...requestContext(request, path), requestId, routeKey },
    ...eventBody(body, sent['content-type']),
  }
}

/** Returns the end-to-end headers, by lower-case name. Repeated headers are joined with commas. */
function joinedHeaders(rawHeaders: string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = String(rawHeaders[i]).toLowerCase()
    if (unusedHeaders.has(name)) continue
    const before = headers[name]
    headers[name] = `${before === undefined ? '' : `${before},`}${rawHeaders[i + 1]}`
  }
  return headers
}

function gatewayHeaders({ socket }: IncomingMessage, sent: Record<string, string>, body: Buffer) {
  const forwarded = sent['x-forwarded-for']
  const time = Math.floor(Date.now() / 1000).toString(16)
  return {
    'content-length': String(body.length),
    'x-amzn-trace-id': `Root=1-${time}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': `${forwarded ? `${forwarded}, ` : ''}${socket.remoteAddress}`,
    'x-forwarded-port': String(socket.localPort),
    'x-forwarded-proto': 'http',
  }
}

/** Returns the decoded query parameters. Repeated parameters are joined with commas. */
function joinedQuery(rawQueryString: string): Record<string, string> | undefined {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query[name] = name in query ? `${query[name]},${value}` : value
  }
  return Object.keys(query).length > 0 ? query : undefined
}

function requestContext(request: IncomingMessage, path: string) {
  const now = new Date()
  const domainName = request.headers.host?.replace(/:\d*$/, '') ?? ''
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split('.')[0] ?? '',
    http: {
      method: request.method ?? '',
      path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    },
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now.getTime(),
  }
}

/** Returns a time in the Common Log Format: `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * As measured on AWS, bodies of `text/*`, `application/json`, `application/xml` and
 * `application/javascript` are text in the event, and all other bodies are base64
 * (https://github.com/ministackorg/ministack/pull/766). Here, text that is not UTF-8 is also base64, so that
 * no byte is lost.
 */
function eventBody(body: Buffer, contentType = '') {
  if (body.length === 0) return { isBase64Encoded: false }
  if (/^\s*(text\/|application\/(json|xml|javascript)\s*(;|$))/i.test(contentType)) {
    try {
      return { body: utf8.decode(body), isBase64Encoded: false }
    } catch {
      // Not UTF-8.
    }
  }
  return { body: body.toString('base64'), isBase64Encoded: true }
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** The target of a request: its path, and its query as it was sent. */
export interface Target {
  path: string
  rawQueryString: string
}

/**
 * Reads a request's target. The path is percent-decoded: an HTTP API matches routes and fills `rawPath`
 * with the decoded one (https://github.com/aws/aws-lambda-dotnet/pull/1901). Undefined if it cannot be.
 */
export function targetOf(request: IncomingMessage): Target | undefined {
  // A proxy's absolute form names the host once more.
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

/** What a connection says about itself, not about the request. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The event of payload format 2.0 that carries a request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function requestEvent(
  request: IncomingMessage,
  { path, rawQueryString }: Target,
  body: Buffer,
  requestId: string,
): APIGatewayProxyEventV2 {
  const { cookie, ...sent } = joinedHeaders(request.rawHeaders)
  const cookies = cookie?.split(/; */).filter((pair) => pair !== '')
  const query = joinedQuery(rawQueryString)
  const method = request.method ?? ''
  const routeKey = `${method} ${path}`
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: { ...sent, ...gatewayHeaders(request, sent, body) },
    ...(query && { queryStringParameters: query }),
    requestContext: { ...requestContext(request, path), requestId, routeKey },
    ...eventBody(body, sent['content-type']),
  }
}

/** Lower case, repeated ones joined with commas, without those of the connection. */
function joinedHeaders(rawHeaders: string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = String(rawHeaders[i]).toLowerCase()
    if (hopByHop.has(name)) continue
    const separator = name === 'cookie' ? '; ' : ','
    const before = headers[name]
    headers[name] = `${before === undefined ? '' : before + separator}${rawHeaders[i + 1]}`
  }
  return headers
}

/** What the gateway tells the function about the way the request took. */
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

/** Decoded, repeated ones joined with commas. */
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

/** As in the Common Log Format: `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * As measured on AWS, only `text/*` and JSON, XML and JavaScript proper travel as text, everything else
 * as base64, a body without a type too (https://github.com/ministackorg/ministack/pull/766). So does
 * here text that is not UTF-8, so that nothing of it is lost.
 */
function eventBody(body: Buffer, contentType = '') {
  if (body.length === 0) return { isBase64Encoded: false }
  if (/^\s*(text\/|application\/(json|xml|javascript)\s*(;|$))/i.test(contentType)) {
    try {
      return { body: utf8.decode(body), isBase64Encoded: false }
    } catch {
      // Falls through to base64.
    }
  }
  return { body: body.toString('base64'), isBase64Encoded: true }
}

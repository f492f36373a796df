import { validateHeaderName, validateHeaderValue } from 'node:http'

/** A response of the gateway. */
export interface GatewayResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  cookies?: string[]
  body: Buffer
}

/** The headers that the gateway sets. It ignores those of functions. */
const gatewayHeaders =
  /^(access-control-.*|apigw-requestid|connection|content-length|date|keep-alive|transfer-encoding)$/

/**
 * Converts a function's response by the rules of payload format 2.0: an object with a `statusCode` is the
 * whole response, any other value is the body of a 200 response. Throws if the response is malformed.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function functionResponse(payload: string): GatewayResponse {
  const response: unknown = JSON.parse(payload)
  if (typeof response !== 'object' || response === null || !('statusCode' in response)) {
    const body = Buffer.from(typeof response === 'string' ? response : payload)
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = response as Record<
    string,
    unknown
  >
  return {
    status: readStatus(statusCode),
    // The default content type of an HTTP API (aws-lambda-dotnet#1903).
    headers: { 'content-type': 'text/plain; charset=utf-8', ...readHeaders(headers ?? {}) },
    cookies: readCookies(cookies ?? []),
    body: readBody(body ?? '', isBase64Encoded === true),
  }
}

function readStatus(status: unknown): number {
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) {
    throw new Error('statusCode is not an HTTP status')
  }
  return Number(status)
}

function readHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || Array.isArray(headers)) throw new Error('headers is no object')
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'object') throw new Error(`the header ${name} is not text`)
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    if (!gatewayHeaders.test(name.toLowerCase())) read[name.toLowerCase()] = String(value)
  }
  return read
}

function readCookies(cookies: unknown): string[] {
  if (!Array.isArray(cookies)) throw new Error('cookies is not an array')
  for (const cookie of cookies) {
    if (typeof cookie !== 'string') throw new Error('a cookie is not text')
    validateHeaderValue('set-cookie', cookie)
  }
  return cookies
}

function readBody(body: unknown, isBase64Encoded: boolean): Buffer {
  if (typeof body !== 'string') throw new Error('body is not text')
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

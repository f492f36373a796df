import { validateHeaderName, validateHeaderValue } from 'node:http'

export interface GatewayResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Buffer
}

/** The headers that the gateway sets. It ignores those of functions. */
const gatewayHeaders =
  /^(access-control-.*|apigw-requestid|connection|content-length|date|keep-alive|transfer-encoding)$/

/**
 * Converts a function's response of payload format 2.0. Throws if it is malformed, or has cookies or base64, which this service never
 * sends.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function functionResponse(payload: string): GatewayResponse {
  const response = Object(JSON.parse(payload)) as Record<string, unknown>
  const { statusCode, headers, cookies, body, isBase64Encoded } = response
  if (cookies || isBase64Encoded) throw new Error('cookies and base64 are not supported')
  return {
    status: readStatus(statusCode),
    // The default content type of an HTTP API (aws-lambda-dotnet#1903).
    headers: { 'content-type': 'text/plain; charset=utf-8', ...readHeaders(headers ?? {}) },
    body: readBody(body ?? ''),
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

function readBody(body: unknown): Buffer {
  if (typeof body !== 'string') throw new Error('body is not text')
  return Buffer.from(body)
}

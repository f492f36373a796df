import type { IncomingMessage } from 'node:http'

/** The CORS configuration of an HTTP API. */
export interface Cors {
  /** Origins, or `*` for all origins. */
  readonly allowOrigins: readonly string[]
  readonly allowMethods: readonly string[]
  readonly allowHeaders: readonly string[]
  readonly exposeHeaders: readonly string[]
  readonly maxAgeSeconds: number
}

/**
 * Returns whether a request is a preflight. API Gateway itself responds to preflights, on any path.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** Returns the CORS headers of a response: none if the request has no Origin or one that is not allowed. */
export function corsHeaders(cors: Cors, request: IncomingMessage): Record<string, string> {
  const { origin } = request.headers
  if (origin === undefined) return {}
  const anyOrigin = cors.allowOrigins.includes('*')
  if (!anyOrigin && !cors.allowOrigins.includes(origin)) return {}
  const common = {
    'access-control-allow-origin': anyOrigin ? '*' : origin,
    ...(!anyOrigin && { vary: 'Origin' }),
  }
  if (!isPreflight(request)) return { ...common, ...list('expose-headers', cors.exposeHeaders) }
  return {
    ...common,
    ...list('allow-methods', cors.allowMethods),
    ...list('allow-headers', cors.allowHeaders),
    'access-control-max-age': String(cors.maxAgeSeconds),
  }
}

const list = (name: string, values: readonly string[]): Record<string, string> =>
  values.length > 0 ? { [`access-control-${name}`]: values.join(',') } : {}

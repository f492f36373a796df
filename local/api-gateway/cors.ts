import type { IncomingMessage } from 'node:http'

/** A CORS configuration, as an HTTP API has it. */
export interface Cors {
  /** Origins, or `*` for any. */
  readonly allowOrigins: readonly string[]
  readonly allowMethods: readonly string[]
  readonly allowHeaders: readonly string[]
  readonly exposeHeaders: readonly string[]
  readonly maxAgeSeconds: number
}

/**
 * Whether a request is a preflight, which API Gateway answers by itself, on any path.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** The CORS headers of an answer; none without an Origin, or for one that is not allowed. */
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

import type { IncomingMessage } from 'node:http'

/** The CORS configuration of an HTTP API that allows all origins. */
export interface Cors {
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

/** Returns the CORS headers of a response: none if the request has no Origin. */
export function corsHeaders(cors: Cors, request: IncomingMessage): Record<string, string> {
  if (request.headers.origin === undefined) return {}
  const origin = { 'access-control-allow-origin': '*' }
  if (!isPreflight(request)) return { ...origin, ...list('expose-headers', cors.exposeHeaders) }
  return {
    ...origin,
    ...list('allow-methods', cors.allowMethods),
    ...list('allow-headers', cors.allowHeaders),
    'access-control-max-age': String(cors.maxAgeSeconds),
  }
}

const list = (name: string, values: readonly string[]) => ({
  [`access-control-${name}`]: values.join(','),
})

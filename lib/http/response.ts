import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { formExpected, oauthErrorOf } from '../contract/oauth.ts'
import type { Route } from '../contract/route.ts'
import { writeJson } from '../json/verbatim-json.ts'
import type { Freshness, MaxAge } from './endpoint.ts'
import type { Problem } from './problem.ts'

/** The response of a success: the envelope of specification 1, or the document itself (D1, D5). */
export function successResponse(
  route: Route,
  output: { data: unknown; nextCursor?: string | undefined } & MaxAge & Partial<Freshness>,
): APIGatewayProxyStructuredResultV2 {
  const { data, nextCursor, asOf, isStale, maxAgeSeconds = route.maxAgeSeconds } = output
  const freshness = asOf !== undefined && {
    asOf: new Date(asOf).toISOString(),
    ...(isStale && { stale: true }),
  }
  return {
    statusCode: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': maxAgeSeconds ? `public, max-age=${maxAgeSeconds}` : 'no-store',
      'x-content-type-options': 'nosniff',
      ...legacyNoStore(route),
    },
    body: writeJson(
      route.form === 'bare' ? data : { data, success: true, nextCursor, ...freshness },
    ),
  }
}

/** The header that OAuth 2.0 wants beside `no-store` (RFC 6749, section 5.1). */
const legacyNoStore = ({ oauth, maxAgeSeconds }: Route): Record<string, string> =>
  oauth && !maxAgeSeconds ? { pragma: 'no-cache' } : {}

/** The response of a failure: RFC 9457 problem details (D2, D5). */
export const problemResponse = (
  problem: Problem,
  requestId: string,
): APIGatewayProxyStructuredResultV2 => ({
  statusCode: problem.status,
  headers: {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...problem.headers,
  },
  body: writeJson(problem.details(requestId)),
})

/**
 * The response of a failed operation of OAuth 2.0 (RFC 6749, section 5.2), with the members of the problem details too.
 */
export function oauthErrorResponse(
  problem: Problem,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  const { headers } = problemResponse(problem, requestId)
  const details = problem.details(requestId)
  return {
    statusCode: problem.status,
    headers: { ...headers, 'content-type': 'application/json', pragma: 'no-cache' },
    body: writeJson({
      error: oauthErrorOf(problem.code),
      error_description: details.detail.replaceAll(/[^ !#-[\]-~]/g, "'"),
      ...details,
      ...(problem.code === 'unsupported_media_type' && { title: formExpected.title }),
    }),
  }
}

import { type OperationId, routes } from '../../functions/operations.ts'
import type { AnyDocumentation } from '../../lib/contract/documentation.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { problems } from '../problems/problems.ts'
import { jsonSchemaOf } from './json-schema.ts'
import {
  gatewayContent,
  namedProblems,
  oauthResponse,
  problemResponse,
} from './problem-responses.ts'

type Json = Record<string, unknown>

/** Every response of a route, by status. */
export function responsesOf(
  id: OperationId,
  route: Route,
  documentation: AnyDocumentation,
): Record<string, Json> {
  const byStatus = Map.groupBy(problemsOf(route), (code) => problems[code].status)
  const failures = [...byStatus].map(([status, codes]) => [
    status,
    route.oauth
      ? oauthResponse(codes, documentation.invalidRequest)
      : problemResponse(codes, documentation.invalidRequest),
  ])
  return {
    200: successResponse(id, route, documentation),
    ...Object.fromEntries(failures),
    '4XX': { $ref: '#/components/responses/gateway4XX' },
    '5XX': { $ref: '#/components/responses/gateway5XX' },
  }
}

function successResponse(id: OperationId, route: Route, { answers }: AnyDocumentation): Json {
  const examples = Object.entries(answers).map(([name, answer]) => [
    name,
    { summary: answer.summary, value: bodyOf(route, answer) },
  ])
  const cache = route.maxAgeSeconds ? 'Public' : 'NoStore'
  return {
    description: 'Success.',
    headers: { 'Cache-Control': { $ref: `#/components/headers/${cache}` } },
    content: {
      'application/json': { schema: bodySchema(id, route), examples: Object.fromEntries(examples) },
    },
  }
}

/** The body of a success: the envelope of specification 1, or the bare document. */
function bodyOf(route: Route, { value, nextCursor }: AnyDocumentation['answers'][string]): unknown {
  if (route.form === 'bare') return value
  return {
    data: value,
    success: true,
    ...(nextCursor && { nextCursor }),
    ...(route.hasAge && { asOf: exampleTime }),
  }
}

/** A bare document describes itself; an envelope is a named schema. */
const bodySchema = (id: OperationId, route: Route): Json =>
  route.form === 'bare'
    ? (jsonSchemaOf(route.answer) as Json)
    : { $ref: `#/components/schemas/${envelopeName(id)}` }

/** `getProduct` responds with a `GetProductEnvelope`. Generators make a `GetProductResponse` themselves. */
const envelopeName = (id: OperationId): string => `${id[0]?.toUpperCase()}${id.slice(1)}Envelope`

/** The envelope of specification 1 of each operation that has one, as a named schema. */
export const envelopeSchemas = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries<Route>(routes)
      .filter(([, route]) => route.form !== 'bare')
      .map(([id, route]) => [envelopeName(id as OperationId), envelopeSchema(route)]),
  )

function envelopeSchema(route: Route): Json {
  const nextCursor = { type: 'string', description: 'Where to read on. Absent at the end.' }
  return {
    type: 'object',
    properties: {
      data: jsonSchemaOf(route.answer),
      success: { type: 'boolean', description: 'Always `true`: a failure is a problem.' },
      ...(route.form === 'paged' && { nextCursor }),
      ...(route.hasAge && freshness),
    },
    required: ['data', 'success', ...(route.hasAge ? ['asOf'] : [])],
    additionalProperties: true,
  }
}

/** The `asOf` of all examples. */
const exampleTime = '2026-11-22T18:30:05.000Z'

/** How fresh an answer is (D156). */
const freshness: Json = {
  asOf: {
    type: 'string',
    format: 'date-time',
    description: 'The moment of which the answer speaks. Changes after it can be missing.',
  },
  stale: {
    type: 'boolean',
    description:
      '`true` if the indexer does not answer and the answer is older than usual, else absent. Only with `stale-if-error`.',
  },
}

/** The shared responses: each problem, and the responses of API Gateway itself. */
export const namedResponses = (): Json => ({
  ...namedProblems(),
  gateway4XX: {
    description: gatewayDescription(
      '404 `Not Found` (no such path or method), 413 `Request Entity Too Large`, 429 `Too Many Requests`, 431 `Request Header Fields Too Large`',
    ),
    content: gatewayContent('Too Many Requests'),
  },
  gateway5XX: {
    description: gatewayDescription(
      '500 `Internal Server Error` (a function failed), 503 `Service Unavailable` (a function timed out)',
    ),
    content: gatewayContent('Internal Server Error'),
  },
})

const gatewayDescription = (statuses: string): string =>
  `A response of API Gateway itself: ${statuses}. Or a problem that a later version of the API has added: handle it by its status.`

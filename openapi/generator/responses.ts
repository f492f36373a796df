import { problems } from '../../lib/contract/problems.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import type { AnyDocumentation } from '../operation-documentation.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { gatewayContent, namedProblems, problemResponse } from './problem-responses.ts'

type Json = Record<string, unknown>

/** Every response of a route, by status. */
export function responsesOf(route: Route, documentation: AnyDocumentation): Json {
  const byStatus = Map.groupBy(problemsOf(route), (code) => problems[code].status)
  const failures = [...byStatus].map(([status, codes]) => [
    status,
    problemResponse(codes, documentation.invalidRequest),
  ])
  return {
    200: successResponse(route, documentation),
    ...Object.fromEntries(failures),
    '4XX': { $ref: '#/components/responses/gateway' },
    '5XX': { $ref: '#/components/responses/gateway' },
  }
}

function successResponse(route: Route, { answers }: AnyDocumentation): Json {
  const examples = Object.entries(answers).map(([name, answer]) => [
    name,
    { summary: answer.summary, value: bodyOf(route, answer.value) },
  ])
  const cache = route.maxAgeSeconds ? 'Public' : 'NoStore'
  return {
    description: 'Success.',
    headers: { 'Cache-Control': { $ref: `#/components/headers/${cache}` } },
    content: {
      'application/json': { schema: bodySchema(route), examples: Object.fromEntries(examples) },
    },
  }
}

/** The body of a success: the envelope of specification 1, or the bare document. */
function bodyOf(route: Route, answer: unknown): unknown {
  if (route.form === 'bare') return answer
  const { data, ...rest } = answer as { data: unknown; nextCursor?: string }
  return { data, success: true, ...rest }
}

function bodySchema(route: Route): Json {
  const data = jsonSchemaOf(route.answer) as Json
  if (route.form === 'bare') return data
  const nextCursor = { type: 'string', description: 'Where to read on. Absent at the end.' }
  return {
    type: 'object',
    properties: {
      data,
      success: { type: 'boolean', const: true },
      ...(route.form === 'paged' && { nextCursor }),
    },
    required: ['data', 'success'],
  }
}

/** The shared responses: each problem, and the responses of API Gateway itself. */
export const namedResponses = (): Json => ({
  ...namedProblems(),
  gateway: {
    description:
      'Answered by API Gateway itself: 404 `Not Found` (no such path or method), 413 `Request Entity Too Large`, 429 `Too Many Requests`, 431 `Request Header Fields Too Large`, 500 `Internal Server Error`, 503 `Service Unavailable`.',
    content: gatewayContent('Too Many Requests'),
  },
})

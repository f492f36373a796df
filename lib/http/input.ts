import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import type { FieldError } from '../contract/problems.ts'
import type { Fields, Route } from '../contract/route.ts'
import { bodyReader } from './body-fields.ts'
import { invalidRequest } from './problem.ts'
import { queryReader } from './query-fields.ts'
import type { ReadFields } from './read-fields.ts'

/**
 * The event with header names in lower case. API Gateway writes them so, but other hosts, such as
 * `sam local start-api`, keep them as the client sent them. The values of names that differ only in case
 * are joined with a comma, as API Gateway joins repeated headers, so that none of them is dropped.
 */
export function withLowerCaseHeaderNames(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  if (Object.keys(event.headers).every((name) => name === name.toLowerCase())) return event
  const headers: Record<string, string> = Object.create(null)
  for (const [sent, value = ''] of Object.entries(event.headers)) {
    const name = sent.toLowerCase()
    headers[name] = name in headers ? `${headers[name]},${value}` : value
  }
  return { ...event, headers }
}

/** The input of a request, parsed by the schemas of its route. */
export interface ReadInput {
  path?: Readonly<Record<string, string>>
  body?: unknown
  query?: unknown
}

/**
 * Reads body and query of a request. Throws one problem that names every bad field, and the fields of
 * `otherErrors` before them (D2).
 */
export type InputReader = (
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  otherErrors: readonly FieldError[],
) => ReadInput

/** Returns the reader of the input of a route. Everything that depends on the route alone is prepared. */
export function inputReader(route: Route): InputReader {
  const { query: queryFields, body: bodyFields, isBodyOptional, pathParameters } = route
  const readQuery = queryFields && queryReader(queryFields)
  const readBody = bodyFields && bodyReader(bodyFields, isBodyOptional)
  return (event, query, otherErrors) => {
    const errors = [...otherErrors]
    const input: ReadInput = {}
    if (pathParameters) input.path = pathOf(event, pathParameters)
    if (readQuery) input.query = parse('query', queryFields, readQuery(query), errors)
    if (readBody) input.body = parse('body', bodyFields, readBody(event, query), errors)
    if (errors.length > 0) throw invalidRequest(errors)
    return input
  }
}

const pathOf = ({ pathParameters = {} }: APIGatewayProxyEventV2, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, pathParameters[name] ?? '']))

function parse(
  place: 'body' | 'query',
  fields: Fields,
  { input, faults }: ReadFields,
  errors: FieldError[],
): unknown {
  const result = v.safeParse(fields, input)
  const seen = new Set<string>()
  for (const issue of result.issues ?? []) {
    const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
    // Only the first fault of a field is reported.
    if (seen.has(path)) continue
    seen.add(path)
    const message = issue.input === undefined ? 'is required' : issue.message
    errors.push(faults.get(path) ?? { in: place, path, message })
  }
  // The other faults are about optional fields.
  for (const [field, fault] of faults) if (!seen.has(field)) errors.push(fault)
  return result.output
}

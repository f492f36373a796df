import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import { formParameters } from '../contract/near-misses.ts'
import type { FieldError } from '../contract/problem-details.ts'
import type { Fields, OpenChainFields, OpenChains, Route } from '../contract/route.ts'
import type { SendingPage } from '../domain/sign-in/asking-network.ts'
import { operationMilliseconds } from '../domain/time-budget.ts'
import { bodyReader } from './body-fields.ts'
import type { Caller } from './caller.ts'
import { afterPermission } from './permission.ts'
import { invalidRequest } from './problem.ts'
import { formReader, queryReader } from './query-fields.ts'
import type { ReadFields } from './read-fields.ts'
import type { SourceAddressOf } from './source-address.ts'

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
interface ReadInput {
  path?: Readonly<Record<string, string>>
  body?: unknown
  query?: unknown
}

/** Reads body and query. Throws one problem that names every bad field, and those of `otherErrors` before them (D2). */
type InputReader = (
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  otherErrors: readonly FieldError[],
) => ReadInput

/** Returns the reader of the input of a route. Everything that depends on the route alone is prepared. */
function inputReader(route: Route): InputReader {
  const { query: queryFields, body: bodyFields, isBodyOptional, pathParameters, player } = route
  const readQuery = queryFields && queryReader(queryFields)
  const readBody =
    bodyFields && (route.oauth ? formReader(bodyFields) : bodyReader(bodyFields, isBodyOptional))
  const hasInput = queryFields || bodyFields || player
  return (event, query, otherErrors) => {
    const errors = [...otherErrors]
    const input: ReadInput = {}
    if (hasInput) errors.push(...foreignForms(query, queryFields))
    if (pathParameters) input.path = pathOf(event, pathParameters)
    if (readQuery) input.query = parse('query', queryFields, readQuery(query), errors)
    if (readBody) input.body = parse('body', bodyFields, readBody(event, query), errors)
    if (errors.length > 0) throw invalidRequest(errors)
    return input
  }
}

/** A parameter without a value is absent (D4). */
const foreignForms = (query: URLSearchParams, fields?: Fields): FieldError[] =>
  Object.entries(formParameters).flatMap(([path, operation]) =>
    query.get(path) && !(fields && path in fields.entries)
      ? [{ in: 'query', path, message: `is a parameter of ${operation} only` }]
      : [],
  )

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

const fieldsOf = (fields: Fields | OpenChainFields, openChains: OpenChains): Fields =>
  'withOpenChains' in fields ? fields.withOpenChains(openChains) : fields

const sendingPageOf = ({ headers }: APIGatewayProxyEventV2): SendingPage => ({
  origin: headers['origin'],
  fetchSite: headers['sec-fetch-site'],
})

/** What the input of operations depends on in a deployment. */
export interface DeploymentInput {
  openChains: OpenChains
  sourceAddressOf: SourceAddressOf
}

/**
 * Returns the reader of an identified caller's input, with the deadline. It throws like an {@link InputReader}, unless
 * the caller is refused.
 */
export function callerInputReader(route: Route, { openChains, sourceAddressOf }: DeploymentInput) {
  const { body, query: parameters, bySourceAddress, bySendingPage } = route
  const readInput = inputReader({
    ...route,
    ...(body && { body: fieldsOf(body, openChains) }),
    ...(parameters && { query: fieldsOf(parameters, openChains) }),
  })
  return async (
    { event, startedAt }: { event: APIGatewayProxyEventV2; startedAt: number },
    query: URLSearchParams,
    caller: Caller,
  ) => {
    const { playerTokenError, ...identity } = caller
    try {
      const input = readInput(event, query, playerTokenError ? [playerTokenError] : [])
      const deadline = startedAt + operationMilliseconds
      const source = bySourceAddress && { sourceAddress: sourceAddressOf(event) }
      const page = bySendingPage && { sendingPage: sendingPageOf(event) }
      return { ...identity, ...source, ...page, ...input, deadline }
    } catch (error) {
      // A refused caller learns nothing about the input.
      throw await afterPermission(identity.access, error)
    }
  }
}

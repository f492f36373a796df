import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import type { FieldError } from '../contract/problems.ts'
import type { Fields, Route } from '../contract/route.ts'
import { invalidRequest, Problem } from './problem.ts'

/** The maximum size of a body, in decoded bytes (D16). */
const maxBodyBytes = 1_048_576

/** The input of a request, parsed by the schemas of its route. */
export interface ReadInput {
  body?: unknown
  query?: unknown
}

/**
 * Reads body and query by the schemas of the route. Throws one problem that names every bad field, and
 * the fields of `otherErrors` before them (D2).
 */
export function readInput(
  route: Route,
  event: APIGatewayProxyEventV2,
  query: URLSearchParams,
  otherErrors: FieldError[],
): ReadInput {
  const errors = [...otherErrors]
  const input: ReadInput = {}
  if (route.query) {
    input.query = parse('query', route.query, queryFields(route.query, query), errors)
  }
  if (route.body) input.body = parse('body', route.body, bodyFields(route.body, event), errors)
  if (errors.length > 0) throw invalidRequest(errors)
  return input
}

function parse(place: 'body' | 'query', fields: Fields, input: unknown, errors: FieldError[]) {
  const result = v.safeParse(fields, input)
  const seen = new Set<string>()
  for (const issue of result.issues ?? []) {
    const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
    // Only the first fault of a field is reported.
    if (seen.has(path)) continue
    seen.add(path)
    const message = issue.input === undefined ? 'is required' : issue.message
    errors.push({ in: place, path, message })
  }
  return result.output
}

/**
 * Takes the parameters of the schema from the raw query, which keeps repeated parameters apart (D4). A
 * list may be repeated or comma separated (D13, D20).
 */
function queryFields(fields: Fields, query: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields.entries)) {
    const optional = isOptional(schema)
    const texts = query.getAll(name)
    if (isList(schema)) {
      const items = texts.flatMap((text) => text.split(','))
      const given = optional ? items.filter((item) => item !== '') : items
      if (given.length > 0) input[name] = given
    } else if (texts.length > 1) {
      input[name] = texts
    } else if (texts[0] !== undefined && !(optional && texts[0] === '')) {
      input[name] = texts[0]
    }
  }
  return input
}

/** Takes the fields of the schema from the body. In an optional field `null` and `""` mean absent (D4). */
function bodyFields(fields: Fields, event: APIGatewayProxyEventV2): unknown {
  const body = parseBody(event)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ in: 'body', path: '', message: 'must be a JSON object' }])
  }
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields.entries)) {
    if (!Object.hasOwn(body, name)) continue
    const value = (body as Record<string, unknown>)[name]
    if (!(isOptional(schema) && (value === null || value === ''))) input[name] = value
  }
  return input
}

function parseBody(event: APIGatewayProxyEventV2): unknown {
  const contentType = event.headers['content-type']?.trim()
  if (contentType && !/^application\/json *(;|$)/i.test(contentType)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    )
  }
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > maxBodyBytes) {
    throw new Problem('payload_too_large', `The body may have at most ${maxBodyBytes} bytes.`)
  }
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Problem('invalid_json', 'The body is not well-formed JSON in UTF-8.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const isOptional = (schema: v.GenericSchema): boolean => schema.type === 'optional'

function isList(schema: v.GenericSchema): boolean {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema
  return inner.type === 'array'
}

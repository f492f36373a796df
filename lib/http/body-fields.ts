import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type * as v from 'valibot'
import { nearMissesOf } from '../contract/near-misses.ts'
import { type Fields, isLeftByNull } from '../contract/route.ts'
import { members } from '../json/json-text.ts'
import { unverified } from '../json/unverified.ts'
import { invalidRequest, Problem } from './problem.ts'
import {
  addNearMisses,
  bodyBytes,
  isEmpty,
  isOptional,
  type ReadFields,
  sentRepeatedly,
} from './read-fields.ts'

/**
 * Returns a function that takes the fields of a schema from the JSON object in the body. In an optional
 * field `null` and `""` mean absent (D4), and `null` in a field of a change that cannot be removed (D126). A field that is
 * absent, but was sent under a similar name, or in the query, is a fault (D34). With `isBodyOptional`, an empty body is the same as `{}`. Throws a Problem for a body that is not a JSON object.
 */
export function bodyReader(
  fields: Fields,
  isBodyOptional = false,
): (event: APIGatewayProxyEventV2, query: URLSearchParams) => ReadFields {
  const known = Object.entries(fields.entries).map(
    ([name, schema]) => [name, absenceOf(schema)] as const,
  )
  const names = new Set(known.map(([name]) => name))
  const nearMisses = nearMissesOf([...names])
  return (event, query) => {
    const { body, text } = parseObject(event, isBodyOptional)
    const read: ReadFields = { input: {}, faults: repeatedFields(text, names) }
    for (const [name, isAbsent] of known) {
      if (!Object.hasOwn(body, name)) continue
      const value = body[name]
      if (!isAbsent(value)) read.input[name] = value
    }
    addNearMisses(read, nearMisses, inBody, Object.entries(body))
    addNearMisses(read, nearMisses, inQuery, query)
    return read
  }
}

/** Returns whether a value means that the field of the schema is absent. */
function absenceOf(schema: v.GenericSchema): (value: unknown) => boolean {
  if (isOptional(schema)) return isEmpty
  return isLeftByNull(schema) ? (value) => value === null : () => false
}

const inBody = { place: 'body', advice: 'is not a field of this operation; use' } as const

const inQuery = {
  place: 'query',
  advice: 'is not a parameter of this operation; send it in the body, as',
} as const

/** The fields that an object in well-formed JSON has more than once. JSON.parse keeps the last of them. */
function repeatedFields(text: string, names: ReadonlySet<string>): ReadFields['faults'] {
  const counts = new Map<string, number>()
  for (const { key } of members(text)) {
    if (names.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const faults: ReadFields['faults'] = new Map()
  for (const [name, count] of counts) {
    if (count > 1) faults.set(name, sentRepeatedly('body', name, count))
  }
  return faults
}

function parseObject(event: APIGatewayProxyEventV2, isBodyOptional: boolean) {
  const { body, text } = parseBody(event, isBodyOptional)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([{ in: 'body', path: '', message: 'must be a JSON object' }])
  }
  return { body: unverified(body), text }
}

function parseBody(
  event: APIGatewayProxyEventV2,
  isBodyOptional: boolean,
): { body: unknown; text: string } {
  const contentType = event.headers['content-type']?.trim()
  if (contentType && !/^application\/json *(;|$)/i.test(contentType)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    )
  }
  const bytes = bodyBytes(event)
  if (bytes.length === 0) {
    if (isBodyOptional) return { body: {}, text: '{}' }
    throw new Problem('invalid_json', 'The body is empty; send a JSON object.')
  }
  try {
    const text = utf8.decode(bytes)
    return { body: JSON.parse(text), text }
  } catch {
    throw new Problem('invalid_json', 'The body is not well-formed JSON in UTF-8.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

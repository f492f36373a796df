import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type * as v from 'valibot'
import type { NearMisses } from '../contract/near-misses.ts'
import type { FieldError } from '../contract/problem-details.ts'
import { Problem } from './problem.ts'

/** The fields of a body or a query, before their schema validates them. */
export interface ReadFields {
  input: Record<string, unknown>
  /**
   * Faults that only the request as it was sent shows, by the field concerned: the field was sent twice, or
   * under another name. They take the place of a fault that the schema finds in the same field.
   */
  faults: Map<string, FieldError>
}

/** The fault of a field that has one value, but was sent more than once. */
export const sentRepeatedly = (
  place: 'body' | 'query',
  name: string,
  count: number,
): FieldError => ({ in: place, path: name, message: `was sent ${count} times; send it once` })

/** Whether a field may be absent. */
export const isOptional = (schema: v.GenericSchema): boolean => schema.type === 'optional'

/** Whether a value of a request means that an optional field is absent (D4). */
export const isEmpty = (value: unknown): boolean => value === null || value === ''

/** Adds a fault for each absent field that was sent under a name that resembles it (D34): `advice` with the name. */
export function addNearMisses(
  { input, faults }: ReadFields,
  nearMisses: NearMisses,
  { place, advice }: { place: 'body' | 'query'; advice: string },
  sent: Iterable<readonly [name: string, value: unknown]>,
): void {
  for (const [name, value] of sent) {
    const field = isEmpty(value) ? undefined : nearMisses(name)
    if (!field || field in input || faults.has(field)) continue
    faults.set(field, { in: place, path: name, message: `${advice} ${field}` })
  }
}

/** The maximum size of a body, in bytes (D16). */
const maxBodyBytes = 1_048_576

/** The bytes of a body. Throws a Problem for a body that is compressed (D136) or too large. */
export function bodyBytes({ body, isBase64Encoded, headers }: APIGatewayProxyEventV2): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  // Not every host passes the header on. Neither JSON nor a form begins with the first byte of gzip.
  if (compression.test(headers['content-encoding'] ?? '') || bytes[0] === 0x1f) {
    // RFC 9110, section 15.5.16.
    const headers = { 'accept-encoding': 'identity' }
    throw new Problem('unsupported_media_type', compressed, { headers })
  }
  if (bytes.length > maxBodyBytes) {
    throw new Problem('payload_too_large', `The body may have at most ${maxBodyBytes} bytes.`)
  }
  return bytes
}

/** The content codings that compress. Some clients send `utf-8` in this header, which says nothing. */
const compression = /\b(gzip|compress|deflate|br|zstd)\b/i

const compressed = 'Send the body without compression, and without Content-Encoding.'

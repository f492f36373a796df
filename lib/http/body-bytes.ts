import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { Problem } from './problem.ts'

/** The maximum size of a body, in bytes (D16). */
export const maxBodyBytes = 1_048_576

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

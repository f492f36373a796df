import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { JsonRequest } from './json-protocol.ts'

/** The difference between two clocks from which AWS takes a signature for one of another time, in milliseconds. */
const skewMilliseconds = 240_000

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/**
 * Signs the requests to one endpoint of a service (Signature Version 4).
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signerOf(
  service: string,
  region: string,
  { host, pathname }: URL,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
) {
  let offset = 0
  let latest: { day: string; key: KeyObject } | undefined

  /** The key of a day. Node takes 3 µs for an HMAC with a KeyObject, and 16 µs with the same bytes. */
  function keyOf(day: string): KeyObject {
    if (latest?.day !== day) {
      const parts = [day, region, service, 'aws4_request']
      const key = parts.reduce(
        (key: KeyObject, part) => createSecretKey(hmac(key, part).digest()),
        createSecretKey(`AWS4${secretAccessKey}`, 'utf8'),
      )
      latest = { day, key }
    }
    return latest.key
  }

  return {
    /** All headers of a request, with its signature. */
    headersOf({ headers, body }: JsonRequest): Record<string, string> {
      const time = new Date(Date.now() + offset).toISOString().replace(/[-:]|\.\d+/g, '')
      const day = time.slice(0, 8)
      const signed: Record<string, string> = {
        ...headers,
        'content-length': `${Buffer.byteLength(body)}`,
        host,
        'x-amz-date': time,
        ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      }
      const names = Object.keys(signed).sort()
      const signedHeaders = names.join(';')
      const lines = names.map((name) => `${name}:${signed[name]}\n`).join('')
      const request = ['POST', pathname, '', lines, signedHeaders, hash('sha256', body)].join('\n')
      const scope = `${day}/${region}/${service}/aws4_request`
      const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request)].join('\n')
      const signature = hmac(keyOf(day), text).digest('hex')
      const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
      return { ...signed, authorization }
    },

    /** Corrects the clock of signatures by the date of a response. Returns whether it was wrong. */
    correctClock(date: unknown): boolean {
      const known = Date.parse(String(date)) - Date.now()
      if (Number.isNaN(known) || Math.abs(known - offset) < skewMilliseconds) return false
      offset = known
      return true
    },
  }
}

const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text)

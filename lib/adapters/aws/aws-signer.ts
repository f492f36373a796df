import type { OutgoingHttpHeaders } from 'node:http'
import aws4, { type Credentials } from 'aws4'
import type { JsonRequest } from './json-protocol.ts'

/** The difference between two clocks from which AWS takes a signature for one of another time, in milliseconds. */
const skewMilliseconds = 240_000

/** Signs the requests to one endpoint of a service (Signature Version 4). */
export interface Signer {
  /** The headers of a request, with its signature. */
  headersOf(request: JsonRequest): OutgoingHttpHeaders
  /** Corrects the clock of signatures by the date of a response. Returns whether it was wrong. */
  correctClock(date: unknown): boolean
}

export function signerOf(
  service: string,
  region: string,
  endpoint: URL,
  credentials: Credentials,
): Signer {
  const { host, pathname: path } = endpoint
  const target = { service, region, method: 'POST', host, path }
  let offset = 0
  return {
    headersOf: ({ headers, body }) => {
      const time = new Date(Date.now() + offset).toISOString().replace(/[-:]|\.\d+/g, '')
      const request = { ...target, headers: { ...headers, 'x-amz-date': time }, body }
      return aws4.sign(request, credentials).headers ?? {}
    },

    correctClock(date) {
      const known = Date.parse(String(date)) - Date.now()
      if (Number.isNaN(known) || Math.abs(known - offset) < skewMilliseconds) return false
      offset = known
      return true
    },
  }
}

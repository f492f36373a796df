import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from '../../support/services/http-server.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'

/** A response, byte for byte. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** What happens to a request: a response, or anything else that a server can do with its connection. */
export type Reaction = Answer | ((response: ServerResponse) => void)

/** A request as it arrived. */
export interface Arrived {
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Starts a server in place of AWS, and sets the environment variables for the clients of the functions. Must be awaited
 * before a client is created. Ends with the test file.
 */
export async function startWire() {
  const arrived: Arrived[] = []
  let reactions: Reaction[] = []
  const url = await serve(async (request, response) => {
    const body = (await buffer(request)).toString()
    arrived.push({ path: request.url, headers: request.headers, body })
    const reaction = reactions.length > 1 ? reactions.shift() : reactions[0]
    if (typeof reaction === 'function') reaction(response)
    else response.writeHead(reaction?.status ?? 500, reaction?.headers).end(reaction?.body ?? '')
  }, atFileEnd)
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    TABLE_NAME: 'table',
  })
  return {
    arrived,
    /** Reacts to the next requests in this way; to all further ones as to the last. */
    react(...next: [Reaction, ...Reaction[]]): void {
      arrived.length = 0
      reactions = next
    },
  }
}

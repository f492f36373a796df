import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { serve } from '../../../test/support/services/http-server.ts'
import { atFileEnd } from '../../../test/support/vitest/at-file-end.ts'
import { type Attempt, type ClientOptions, PlayerNfts, type PlayerNftsError } from '../src/index.ts'

/** A response to give, or what happens in place of one. */
export type Scripted =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | 'hang'
  | 'hang in the body'
  | 'close'

/** A request that the server has received. */
interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** Serves the responses one after the other, and the last one again and again. Keeps the requests. */
export async function serveScript(...script: readonly Scripted[]) {
  const requests: Received[] = []
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const { method = '', headers } = request
    requests.push({ method, path: pathname, query: searchParams, headers, body })
    give(script[Math.min(requests.length, script.length) - 1] ?? {}, response)
  }, atFileEnd)
  return { url, requests }
}

/** A client of a server with this script, and the attempts that the client reports. */
export async function clientOf(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const { url, requests } = await serveScript(...script)
  const attempts: Attempt[] = []
  const onAttempt = (attempt: Attempt) => attempts.push(attempt)
  const client = new PlayerNfts({ baseUrl: url, maxRetries: 1, onAttempt, ...options })
  return { client, requests, attempts, url }
}

/** The error with which a call fails. */
export const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('The call succeeded')
    },
    (error: PlayerNftsError) => error,
  )

function give(scripted: Scripted, response: ServerResponse): void {
  if (scripted === 'hang') return
  if (scripted === 'close') {
    response.destroy()
    return
  }
  if (scripted === 'hang in the body') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":')
    return
  }
  const { status = 200, headers = {}, json, text = JSON.stringify(json) } = scripted
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, {
    'content-type': type,
    'apigw-requestid': 'request-of-gateway',
    ...headers,
  })
  response.end(text)
}

/** A success with this data. */
export const success = (data: unknown, nextCursor?: string): Scripted => ({
  json: { data, success: true, nextCursor },
})

/** A problem with this status and code. */
export const problem = (
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Scripted => ({
  status,
  headers,
  json: { success: false, status, code, detail: `It is ${code}.`, requestId: 'request-1', ...more },
})

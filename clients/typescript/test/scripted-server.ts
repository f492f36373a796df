import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { serve } from '../../../test/support/services/http-server.ts'

/** A response to give, or what happens in place of one. */
export type Scripted =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | 'hang'
  | 'hang in the body'
  | 'close'

/** A request that the server has received. */
export interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** Serves the responses one after the other, and the last one again and again. Keeps the requests. */
export const serveScript = (...script: Scripted[]) => serveScriptUntil(onTestFinished, script)

/** The same for concurrent tests, which give the function that runs when the server is to end. */
export async function serveScriptUntil(
  onEnd: (end: () => void) => unknown,
  script: readonly Scripted[],
) {
  const requests: Received[] = []
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const { method = '', headers } = request
    requests.push({ method, path: pathname, query: searchParams, headers, body })
    give(script[Math.min(requests.length, script.length) - 1] ?? {}, response)
  }, onEnd)
  return { url, requests }
}

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

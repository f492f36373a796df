import type { IncomingMessage } from 'node:http'

/**
 * The maximum size of the request line and headers, in bytes on the wire. AWS counts only the values of the
 * headers, so AWS accepts every request that this gateway accepts.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const maxHeadBytes = 10_240

/**
 * The largest event that Lambda accepts, in bytes of JSON. It is smaller than API Gateway's limit of 10 MB.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxEventBytes = 6_291_456

/** How much of a body is discarded after the response, so that the client can read the response. */
const maxDiscardedBytes = 32 * 1_048_576

/** Returns whether the request line and headers exceed API Gateway's limit. */
export function isHeadTooLarge({ method, url, httpVersion, rawHeaders }: IncomingMessage): boolean {
  // Node decodes headers as Latin-1: a character is a byte. `: ` and the line end are 4 bytes per header.
  let bytes = `${method} ${url} HTTP/${httpVersion}\r\n`.length + rawHeaders.length * 2
  for (const text of rawHeaders) bytes += text.length
  return bytes > maxHeadBytes
}

/** Reads a body. Returns `undefined` if the body is too large for an event or the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxEventBytes) return discardBody(request)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > maxEventBytes) return discardBody(request)
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}

function discardBody(request: IncomingMessage): undefined {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDiscardedBytes) request.destroy()
  })
}

import type { IncomingMessage } from 'node:http'

/**
 * The most that a request line and headers may have, in bytes as they are on the wire. AWS counts the
 * headers' values only, so what passes here passes there.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const maxHeadBytes = 10_240

/**
 * The largest event that Lambda takes, in bytes of JSON: reached before the 10 MB of API Gateway.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxEventBytes = 6_291_456

/** How much of a body is thrown away after the answer, so that its sender comes to read that answer. */
const maxDiscardedBytes = 32 * 1_048_576

/** Whether request line and headers are past what API Gateway takes. */
export function isHeadTooLarge({ method, url, httpVersion, rawHeaders }: IncomingMessage): boolean {
  // Node reads heads as Latin-1: one character is one byte. `: ` and line ends come to 4 bytes a header.
  let bytes = `${method} ${url} HTTP/${httpVersion}\r\n`.length + rawHeaders.length * 2
  for (const text of rawHeaders) bytes += text.length
  return bytes > maxHeadBytes
}

/** Reads a body; undefined, as soon as that is sure, if no event can carry it or the client is gone. */
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

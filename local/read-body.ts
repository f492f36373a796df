import type { IncomingMessage } from 'node:http'

/** How much of a body is discarded after the response, so that the client can read the response. */
const maxDiscardedBytes = 32 * 1_048_576

/** Reads a body. Returns `undefined` if it has more than `maxBytes`, or the client disconnects. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return discardBody(request)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > maxBytes) return discardBody(request)
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

import type { IncomingMessage } from 'node:http'

/**
 * Reads a body as it was sent. Throws the error of `lost` if the connection ends within it, and that of
 * `tooLarge` as soon as it has more than `maxBytes`. A body that is shorter than announced counts as lost.
 */
export async function responseBody(
  response: IncomingMessage,
  maxBytes: number,
  { lost, tooLarge }: { lost: () => Error; tooLarge: () => Error },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw lost()
  }
  if (bytes > maxBytes) throw tooLarge()
  return Buffer.concat(chunks)
}

import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import { unverified } from '../../json/unverified.ts'
import { malformedResponse } from './malformed-response.ts'

/**
 * The decompressed body of a response, in the chunks in which it arrives; the next one is read when the last one was taken. Throws
 * the error of `lost` if the connection ends within it, that of `tooLarge` as soon as it has more than `maxBytes`, and an
 * IndexerUnavailable if it is badly compressed.
 */
export async function* bodyChunks(
  response: IncomingMessage,
  maxBytes: number,
  { lost, tooLarge }: { lost: () => Error; tooLarge: () => Error },
): AsyncGenerator<Buffer> {
  const body = decodedBody(response)
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      yield chunk
    }
  } catch (error) {
    // Of this loop only: what the taker of a chunk throws does not come here.
    throw String(unverified(error)['code']).startsWith('Z_')
      ? malformedResponse('bad compression')
      : lost()
  }
  if (bytes > maxBytes) throw tooLarge()
}

function decodedBody(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') throw malformedResponse('an encoding that was not asked for')
  // The error of a lost connection reaches the reader of the decompressed body, which throws it.
  return pipeline(response, zlib.createGunzip(), () => undefined)
}

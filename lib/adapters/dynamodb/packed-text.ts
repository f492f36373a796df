import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** The largest attribute of an item, compressed, in bytes: DynamoDB's limit is 409,600 bytes with the key. */
export const maxPackedBytes = 400_000

/** The largest text before compression, in bytes. */
const maxPlainBytes = 32 * 1_048_576

/** The largest content, in bytes, that a thread of its own would not compress or unpack sooner: compressed, plain. */
const atOnce = { compressed: 16_384, plain: 65_536 }

const gzipInThread = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)
const gunzipInThread = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)

/**
 * The size of the pieces in which a thread returns its result, in bytes: nearly always one, because each takes a turn of
 * the event loop, and several are copied into one.
 */
const chunkSize = 1_048_576

/** Compresses a text, with a checksum; `undefined` if it does not fit into an item. */
export async function packedText(text: string): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(text)
  if (bytes.length > maxPlainBytes) return undefined
  const level = zlib.constants.Z_BEST_SPEED
  const isSmall = bytes.length <= atOnce.plain
  const data = isSmall
    ? zlib.gzipSync(bytes, { level })
    : await gzipInThread(bytes, { level, chunkSize })
  // JSON.stringify would make an array of numbers of a Buffer before anything else.
  const { buffer, byteOffset, length } = data
  return length > maxPackedBytes ? undefined : new Uint8Array(buffer, byteOffset, length)
}

/** The text of an attribute; `undefined` if it is damaged. */
export async function unpackedText(data: unknown): Promise<string | undefined> {
  if (!(data instanceof Uint8Array)) return undefined
  try {
    const options = { maxOutputLength: maxPlainBytes }
    const isSmall = data.length <= atOnce.compressed
    const bytes = isSmall
      ? zlib.gunzipSync(data, options)
      : await gunzipInThread(Buffer.from(data.buffer, data.byteOffset, data.length), {
          ...options,
          chunkSize,
        })
    return bytes.toString()
  } catch {
    return undefined
  }
}

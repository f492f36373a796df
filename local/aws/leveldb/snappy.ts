import { byteReader } from './byte-reader.ts'

/**
 * Decompresses a block in the raw format of Snappy. Throws a RangeError if the block is malformed.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
export function decompressSnappy(compressed: Buffer): Buffer {
  const reader = byteReader(compressed)
  const output = Buffer.alloc(reader.varint())
  let length = 0
  const littleEndian = (bytes: number) => reader.bytes(bytes).readUIntLE(0, bytes)
  const append = (literal: Buffer) => {
    if (length + literal.length > output.length) throw new RangeError('a literal is too long')
    length += literal.copy(output, length)
  }
  const copy = (offset: number, count: number) => {
    if (offset === 0 || offset > length || length + count > output.length) {
      throw new RangeError('a copy is out of range')
    }
    // The ranges may overlap: a copy can repeat what it has just written.
    for (const end = length + count; length < end; length += 1) {
      output[length] = output[length - offset] as number
    }
  }
  while (!reader.isAtEnd) {
    const tag = littleEndian(1)
    const high = tag >>> 2
    if ((tag & 3) === 0) {
      append(reader.bytes(1 + (high < 60 ? high : littleEndian(high - 59))))
    } else if ((tag & 3) === 1) {
      copy(((tag >>> 5) << 8) | littleEndian(1), 4 + (high & 7))
    } else {
      copy(littleEndian((tag & 3) === 2 ? 2 : 4), 1 + high)
    }
  }
  if (length !== output.length) throw new RangeError('the block ends too early')
  return output
}

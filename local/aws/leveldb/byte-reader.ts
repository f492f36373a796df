/** Reads the encodings of LevelDB's files one after the other (LevelDB's util/coding.h). */
export interface ByteReader {
  readonly isAtEnd: boolean
  /** A whole number in 7 bits for each byte. */
  varint(): number
  bytes(length: number): Buffer
  /** Bytes after their length as a varint. */
  slice(): Buffer
}

/** Returns a reader of bytes. Its methods throw a RangeError if the bytes end too early. */
export function byteReader(source: Buffer): ByteReader {
  let at = 0
  const bytes = (length: number) => {
    if (at + length > source.length) throw new RangeError('the bytes end too early')
    at += length
    return source.subarray(at - length, at)
  }
  const varint = () => {
    let value = 0
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const [byte = 0] = bytes(1)
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new RangeError('a number is too large')
  }
  return {
    get isAtEnd() {
      return at >= source.length
    },
    varint,
    bytes,
    slice: () => bytes(varint()),
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** The CRC-32C (RFC 3720, appendix B.4) of the bytes from `start` to `end`, after `crc`, that of the bytes before. */
export function crc32c(bytes: Uint8Array, start: number, end: number, crc = 0): number {
  let rest = ~crc
  for (let at = start; at < end; at += 1) {
    rest = (table[(rest ^ (bytes[at] as number)) & 0xff] as number) ^ (rest >>> 8)
  }
  return ~rest >>> 0
}

/** A checksum as LevelDB stores it (`crc32c::Mask` in its util/crc32c.h). */
export const masked = (crc: number): number =>
  ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) % 2 ** 32

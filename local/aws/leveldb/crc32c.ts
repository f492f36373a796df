const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** Returns the CRC-32C of bytes (RFC 3720, appendix B.4), which LevelDB uses for its files. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/**
 * Returns whether a stored checksum belongs to the bytes. LevelDB stores checksums rotated and shifted by a
 * constant (`crc32c::Mask` in LevelDB's util/crc32c.h).
 */
export function isChecksumOf(stored: number, bytes: Uint8Array): boolean {
  const crc = crc32c(bytes)
  return ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) % 2 ** 32 === stored
}

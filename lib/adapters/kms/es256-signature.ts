/** The length of each of the two integers of a P-256 signature, in bytes. */
const numberBytes = 32

/**
 * Converts the DER signature of KMS (RFC 3279 section 2.2.3) to the 64 bytes of JWS (RFC 7518 section
 * 3.4): both integers unsigned and padded to 32 bytes.
 */
export function es256Signature(der: Uint8Array): Buffer {
  const r = derInteger(der, 2)
  const s = derInteger(der, r.end)
  return Buffer.concat([fixedWidth(r.bytes), fixedWidth(s.bytes)])
}

/** The DER integer at `start`. In a P-256 signature every length is one byte. */
function derInteger(der: Uint8Array, start: number): { bytes: Uint8Array; end: number } {
  const end = start + 2 + (der[start + 1] ?? 0)
  if (der[start] !== 0x02 || end > der.length) throw new Error('not a DER signature')
  return { bytes: der.subarray(start + 2, end), end }
}

/** DER drops leading zero bytes and adds one before a high bit. JWS has a fixed width. */
function fixedWidth(bytes: Uint8Array): Buffer {
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
  const padded = Buffer.alloc(numberBytes)
  padded.set(significant, numberBytes - significant.length)
  return padded
}

/** The length of each of the two integers of a P-256 signature, in bytes. */
const numberBytes = 32

/**
 * Converts the DER signature of KMS (RFC 3279 section 2.2.3) to the 64 bytes of JWS (RFC 7518 section
 * 3.4): both integers unsigned and padded to 32 bytes. Throws an Error for everything that is not exactly
 * the DER of a sequence of two positive integers (X.690 sections 8 and 10; D53).
 */
export function es256Signature(der: Uint8Array): Buffer {
  // In a P-256 signature every length is one byte.
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw notDer()
  const r = derInteger(der, 2)
  const s = derInteger(der, r.end)
  if (s.end !== der.length) throw notDer()
  return Buffer.concat([fixedWidth(r.bytes), fixedWidth(s.bytes)])
}

const notDer = () => new Error('not a DER signature')

/** The positive DER integer at `start`. */
function derInteger(der: Uint8Array, start: number): { bytes: Uint8Array; end: number } {
  const length = der[start + 1] ?? 0
  const end = start + 2 + length
  if (der[start] !== 0x02 || length === 0 || end > der.length) throw notDer()
  const bytes = der.subarray(start + 2, end)
  const [first = 0, second = 0] = bytes
  const isNegative = first >= 0x80
  // A leading zero byte is there only before a high bit. This also excludes a long form of the number 0.
  const isMinimal = first !== 0 || (length > 1 && second >= 0x80)
  if (isNegative || !isMinimal) throw notDer()
  return { bytes: first === 0 ? bytes.subarray(1) : bytes, end }
}

/** DER drops leading zero bytes. JWS has a fixed width. */
function fixedWidth(bytes: Uint8Array): Buffer {
  if (bytes.length > numberBytes) throw notDer()
  const padded = Buffer.alloc(numberBytes)
  padded.set(bytes, numberBytes - bytes.length)
  return padded
}

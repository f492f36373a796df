import { createECDH, type KeyObject } from 'node:crypto'

/**
 * ECDSA over P-256 of a digest made elsewhere (FIPS 186-5, section 6.4), as KMS offers it by
 * MessageType DIGEST: node:crypto only signs messages, which it hashes itself. For trying things
 * out: BigInt arithmetic takes a time that depends on the key.
 */
export function signDigest(digest: Uint8Array, privateKey: KeyObject): Buffer {
  const d = scalarOf(privateKey)
  for (;;) {
    const k = toBigInt(ephemeralScalar())
    const r = multipleX(k)
    const s = modulo(inverse(k) * (toBigInt(digest) + r * d))
    if (r !== 0n && s !== 0n) return derSignature(r, s)
  }
}

/**
 * Whether `signature`, in DER, is one of `digest`. Who holds the private key d knows the point that
 * was signed with, ((z + r·d) / s)·G, without adding points: its x must be r.
 */
export function verifyDigest(
  digest: Uint8Array,
  signature: Uint8Array,
  privateKey: KeyObject,
): boolean {
  const pair = parseDerSignature(signature)
  if (!pair) return false
  const { r, s } = pair
  const k = modulo(inverse(s) * (toBigInt(digest) + r * scalarOf(privateKey)))
  return k !== 0n && multipleX(k) === r
}

/** The order of the group. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const toBigInt = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const modulo = (value: bigint) => ((value % order) + order) % order

const scalarOf = (privateKey: KeyObject) =>
  toBigInt(Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'))

function ephemeralScalar(): Buffer {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return ecdh.getPrivateKey()
}

/** The x coordinate of k·G, modulo the order. */
function multipleX(k: bigint): bigint {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(k.toString(16).padStart(64, '0'), 'hex'))
  return modulo(toBigInt(ecdh.getPublicKey().subarray(1, 33)))
}

/** 1/value modulo the order, by the extended Euclidean algorithm. */
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [modulo(value), order, 1n, 0n]
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y]
  return modulo(x)
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16)
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  // A leading bit of 1 would make it negative.
  const bytes = (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.of(0), digits])
  return Buffer.concat([Buffer.of(0x02, bytes.length), bytes])
}

function derSignature(r: bigint, s: bigint): Buffer {
  const pair = Buffer.concat([derInteger(r), derInteger(s)])
  return Buffer.concat([Buffer.of(0x30, pair.length), pair])
}

function parseDerSignature(der: Uint8Array): { r: bigint; s: bigint } | undefined {
  const rEnd = 4 + (der[3] ?? 0)
  const [rBytes, sBytes] = [der.subarray(4, rEnd), der.subarray(rEnd + 2)]
  if (rBytes.length === 0 || sBytes.length === 0) return undefined
  const [r, s] = [toBigInt(rBytes), toBigInt(sBytes)]
  if (r === 0n || r >= order || s === 0n || s >= order) return undefined
  // One encoding only: what reads back differently was not DER.
  return derSignature(r, s).equals(der) ? { r, s } : undefined
}

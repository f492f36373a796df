import { branded } from '../branded.ts'
import type { ApiKey } from './product.ts'
import type { KeyId } from './product-key.ts'

/** The prefix of a key, by which people and secret scanners recognize it (D46). */
const prefix = 'pnk'

/** The number of random bytes of a key, and of the characters that they take. */
export const keySecretBytes = 24
const secretLength = 33

/** A CRC-32 in base 62. */
const checksumLength = 6

const form = /^pnk_[0-9A-Za-z]{12}_[0-9A-Za-z]{39}$/

/** The text of a key: `pnk_`, its identity, `_`, 192 random bits and a checksum (D46). */
export function apiKeyText(keyId: KeyId, secret: Uint8Array): ApiKey {
  const text = `${prefix}_${keyId}_${base62Of(secret, secretLength)}`
  return branded(`${text}${checksumOf(text)}`)
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads an API key: a version 4 UUID in any case (D9), or a text of {@link apiKeyText}; else `undefined`. */
export function parseApiKey(text: string): ApiKey | undefined {
  if (form.test(text)) return hasItsChecksum(text) ? branded<ApiKey>(text) : undefined
  const lower = text.toLowerCase()
  return uuidV4.test(lower) ? branded<ApiKey>(lower) : undefined
}

const hasItsChecksum = (text: string): boolean =>
  text.endsWith(checksumOf(text.slice(0, -checksumLength)))

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/** The CRC-32 of an ASCII text (ISO/IEC 8802-3), bit by bit: a key is short. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Bytes as a text of `length` digits in base 62. */
export const base62Of = (bytes: Uint8Array, length: number): string =>
  base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length)

/** The last `length` digits of a number in base 62, with leading zeros. */
export function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}

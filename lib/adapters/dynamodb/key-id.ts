import { createHash, randomBytes } from 'node:crypto'
import { base62 } from '../../domain/base62.ts'
import type { KeyId } from '../../domain/product-key.ts'

/** The number of characters of a key's identity: 71 bits. */
const keyIdLength = 12

/** A new identity of an API key. */
export const newKeyId = (): KeyId => keyIdOf(randomBytes(16))

/** The identity of a key that was stored without one: always the same for its digest (D46). */
export const keyIdFrom = (digest: string): KeyId =>
  keyIdOf(createHash('sha256').update(`key id of ${digest}`).digest())

const keyIdOf = (bytes: Buffer): KeyId =>
  base62(BigInt(`0x${bytes.toString('hex')}`), keyIdLength) as KeyId

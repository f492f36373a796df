import { createHash, randomBytes } from 'node:crypto'
import { base62 } from '../../domain/product/base62.ts'
import { type KeyId, keyIdLength } from '../../domain/product/product-key.ts'

/** A new identity of an API key: 71 random bits. */
export const newKeyId = (): KeyId => keyIdOf(randomBytes(16))

/** The identity of a key that was stored without one: always the same for its digest (D46). */
export const keyIdFrom = (digest: string): KeyId =>
  keyIdOf(createHash('sha256').update(`key id of ${digest}`).digest())

const keyIdOf = (bytes: Buffer): KeyId =>
  base62(BigInt(`0x${bytes.toString('hex')}`), keyIdLength) as KeyId

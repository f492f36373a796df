import { createHmac, createSecretKey } from 'node:crypto'

/** Returns the text by which log lines name the player with a user id (D72). */
export type PlayerDigest = (userId: number) => string

/** The part of an HMAC that a digest has, in bytes. */
const digestBytes = 16

/**
 * The first 16 bytes of an HMAC-SHA-256 of the user id, in hex: without the key, nobody can find the user id by trying
 * (D72).
 */
export function playerDigests(key: string): PlayerDigest {
  const secret = createSecretKey(key, 'utf8')
  return (userId) =>
    createHmac('sha256', secret).update(`${userId}`).digest().toString('hex', 0, digestBytes)
}

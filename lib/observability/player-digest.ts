import { createHmac, createSecretKey } from 'node:crypto'

/** Returns the text by which log lines name the player with a user id (D72). */
export type PlayerDigest = (userId: number) => string

/** The part of an HMAC that a digest has, in bytes. */
const digestBytes = 16

/**
 * The digests of players under a key: the first 16 bytes of an HMAC-SHA-256 (RFC 2104) of the user id, as 32
 * hexadecimal digits. Without the key, nobody can find the user id of a digest by trying all user ids (D72).
 */
export function playerDigests(key: string): PlayerDigest {
  const secret = createSecretKey(key, 'utf8')
  return (userId) =>
    createHmac('sha256', secret).update(`${userId}`).digest().toString('hex', 0, digestBytes)
}

import { createHmac, hkdfSync } from 'node:crypto'
import { base62Of } from '../../domain/product/api-key-text.ts'

const tagBytes = 16

/** The digits of a tag. */
export const tagLength = 22

/**
 * 128 bits of the HMAC-SHA-256 (RFC 2104) of values, in base 62. The key is derived with HKDF (RFC 5869) from a secret that all
 * containers share. `use`: what the tag is for; tags of other uses differ.
 */
export async function tagOf(
  secret: () => Promise<string>,
  use: string,
  values: readonly (string | number)[],
): Promise<string> {
  const key = hkdfSync('sha256', await secret(), '', use, 32)
  const hmac = createHmac('sha256', Buffer.from(key)).update(JSON.stringify(values)).digest()
  return base62Of(hmac.subarray(0, tagBytes), tagLength)
}

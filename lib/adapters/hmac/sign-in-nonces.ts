import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { SignInNonces } from '../../domain/ports/sign-in.ts'
import { base62Of } from '../../domain/product/api-key-text.ts'
import type { SignInMessage } from '../../domain/sign-in/sign-in-message.ts'
import { tagLength, tagOf } from './tag.ts'

/** The random bytes of a nonce, and their digits in base 62. */
const saltBytes = 12
const saltLength = 17

const form = new RegExp(`^[0-9A-Za-z]{${saltLength + tagLength}}$`)

/**
 * The nonces of sign-in messages: 96 random bits, and a tag of these bits and of everything that the message says, in base 62. The
 * secret is of sign-in alone.
 */
export function hmacSignInNonces(secret: () => Promise<string>): SignInNonces {
  const tagFor = (salt: string, message: Omit<SignInMessage, 'nonce'>): Promise<string> => {
    const { domain, address, statement, chainId, issuedAt, requestId } = message
    const said = [salt, domain, address, statement, chainId, issuedAt, requestId]
    return tagOf(secret, 'player NFTs sign-in nonce v1', said)
  }

  return {
    async nonceFor(message) {
      const salt = base62Of(randomBytes(saltBytes), saltLength)
      return salt + (await tagFor(salt, message))
    },
    async isOf(message) {
      const { nonce } = message
      if (!form.test(nonce)) return false
      const salt = nonce.slice(0, saltLength)
      const tag = Buffer.from(nonce.slice(saltLength))
      return timingSafeEqual(tag, Buffer.from(await tagFor(salt, message)))
    },
  }
}

import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SignInNonces } from '../../domain/ports/sign-in.ts'
import { base62 } from '../../domain/product/base62.ts'
import type { SignInMessage } from '../../domain/sign-in/sign-in-message.ts'

/** The random bytes of a nonce, and those of its HMAC. */
const saltBytes = 12
const tagBytes = 16

/** The digits in base 62 of both parts. */
const saltLength = 17
const tagLength = 22

const form = new RegExp(`^[0-9A-Za-z]{${saltLength + tagLength}}$`)

/**
 * The nonces of sign-in messages: 96 random bits, and 128 bits of the HMAC-SHA-256 (RFC 2104) of these bits and of
 * everything that the message says, in base 62. The key is derived with HKDF (RFC 5869) from a secret of sign-in alone, which all
 * containers share.
 */
export function hmacSignInNonces(secret: () => Promise<string>): SignInNonces {
  const tagOf = async (salt: string, message: Omit<SignInMessage, 'nonce'>): Promise<string> => {
    const key = hkdfSync('sha256', await secret(), '', 'player NFTs sign-in nonce v1', 32)
    const { domain, address, statement, chainId, issuedAt, requestId } = message
    const said = JSON.stringify([salt, domain, address, statement, chainId, issuedAt, requestId])
    const tag = createHmac('sha256', Buffer.from(key)).update(said).digest().subarray(0, tagBytes)
    return textOf(tag, tagLength)
  }

  return {
    async nonceFor(message) {
      const salt = textOf(randomBytes(saltBytes), saltLength)
      return salt + (await tagOf(salt, message))
    },
    async isOf(message) {
      const { nonce } = message
      if (!form.test(nonce)) return false
      const salt = nonce.slice(0, saltLength)
      const tag = Buffer.from(nonce.slice(saltLength))
      return timingSafeEqual(tag, Buffer.from(await tagOf(salt, message)))
    },
  }
}

const textOf = (bytes: Buffer, length: number): string =>
  base62(BigInt(`0x${bytes.toString('hex')}`), length)

import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { DeviceCodes, RefreshTokens, SignInNonces } from '../../domain/ports/sign-in.ts'
import { base62Of } from '../../domain/product/api-key-text.ts'
import { userCodeLength, userCodeLetters } from '../../domain/sign-in/device-grant.ts'
import type { SignInMessage } from '../../domain/sign-in/sign-in-message.ts'

// The texts that the service gives out and knows again, each with a tag. Their secret is of sign-in alone.

const tagBytes = 16

const tagLength = 22

const tagForm = `([0-9A-Za-z]{${tagLength}})`

/**
 * Tags of values: 128 bits of their HMAC-SHA-256 (RFC 2104), in base 62. The key is derived with HKDF (RFC 5869) from a secret that all
 * containers share. `use`: what the tags are for; tags of other uses differ.
 */
function tags(secret: string, use: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  const tagOf = (...values: (string | number)[]): string => {
    const hmac = createHmac('sha256', key).update(JSON.stringify(values)).digest()
    return base62Of(hmac.subarray(0, tagBytes), tagLength)
  }
  const isTagOf = (tag: string, ...values: (string | number)[]): boolean =>
    timingSafeEqual(Buffer.from(tag), Buffer.from(tagOf(...values)))
  return { tagOf, isTagOf }
}

/** The nonces of sign-in messages: 96 random bits, and a tag of these bits and of everything that the message says, in base 62. */
export function hmacSignInNonces(secret: string): SignInNonces {
  const { tagOf, isTagOf } = tags(secret, 'player NFTs sign-in nonce v1')
  const form = new RegExp(`^([0-9A-Za-z]{17})${tagForm}$`)
  const saidBy = (message: Omit<SignInMessage, 'nonce'>) => {
    const { domain, address, statement, chainId, issuedAt, requestId } = message
    return [domain, address, statement, chainId, issuedAt, requestId]
  }

  return {
    async nonceFor(message) {
      const salt = base62Of(randomBytes(12), 17)
      return salt + tagOf(salt, ...saidBy(message))
    },
    async isOf(message) {
      const [, salt, tag = ''] = form.exec(message.nonce) ?? []
      return salt !== undefined && isTagOf(tag, salt, ...saidBy(message))
    },
  }
}

/** Refresh tokens: the user id, the family, the number of the token, and a tag of them. */
export function hmacRefreshTokens(secret: string): RefreshTokens {
  const { tagOf, isTagOf } = tags(secret, 'player NFTs refresh token v1')
  const form = new RegExp(
    `^(0|[1-9]\\d{0,15})\\.([0-9A-Za-z]{22})\\.(0|[1-9]\\d{0,8})\\.${tagForm}$`,
  )

  return {
    async write({ userId, familyId, counter }) {
      return [userId, familyId, counter, tagOf(userId, familyId, counter)].join('.')
    },
    async read(text) {
      const [, userText, familyId = '', counterText, tag = ''] = form.exec(text) ?? []
      const [userId, counter] = [Number(userText), Number(counterText)]
      const isOwn = userText !== undefined && isTagOf(tag, userId, familyId, counter)
      return isOwn ? { userId, familyId, counter } : undefined
    },
  }
}

/** Codes from the random numbers of the operating system. A device code is a user code, 256 random bits, and a tag of both (D129). */
export function hmacDeviceCodes(secret: string): DeviceCodes {
  const { tagOf, isTagOf } = tags(secret, 'player NFTs device code v1')
  const form = new RegExp(`^([${userCodeLetters}]{${userCodeLength}})\\.([\\w-]{43})\\.${tagForm}$`)
  const letter = () => userCodeLetters.charAt(randomInt(userCodeLetters.length))

  return {
    newUserCode: () => Array.from({ length: userCodeLength }, letter).join(''),
    async newDeviceCode(userCode) {
      const salt = randomBytes(32).toString('base64url')
      return [userCode, salt, tagOf(userCode, salt)].join('.')
    },
    async userCodeOf(deviceCode) {
      const [, userCode, salt = '', tag = ''] = form.exec(deviceCode) ?? []
      return userCode !== undefined && isTagOf(tag, userCode, salt) ? userCode : undefined
    },
  }
}

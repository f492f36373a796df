import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { DeviceCodes } from '../../domain/ports/sign-in.ts'
import { userCodeLength, userCodeLetters } from '../../domain/sign-in/device-grant.ts'
import { tagLength, tagOf } from './tag.ts'

const letter = () => userCodeLetters.charAt(randomInt(userCodeLetters.length))

const form = new RegExp(
  `^([${userCodeLetters}]{${userCodeLength}})\\.([\\w-]{43})\\.([0-9A-Za-z]{${tagLength}})$`,
)

/**
 * Codes from the random numbers of the operating system. A device code is a user code, 256 random bits, and a tag of both (D129). The
 * secret is of sign-in alone.
 */
export function hmacDeviceCodes(secret: () => Promise<string>): DeviceCodes {
  const tagFor = (...values: string[]) => tagOf(secret, 'player NFTs device code v1', values)

  return {
    newUserCode: () => Array.from({ length: userCodeLength }, letter).join(''),
    async newDeviceCode(userCode) {
      const salt = randomBytes(32).toString('base64url')
      return [userCode, salt, await tagFor(userCode, salt)].join('.')
    },
    async userCodeOf(deviceCode) {
      const [, userCode, salt = '', tag = ''] = form.exec(deviceCode) ?? []
      if (userCode === undefined) return undefined
      const expected = Buffer.from(await tagFor(userCode, salt))
      return timingSafeEqual(Buffer.from(tag), expected) ? userCode : undefined
    },
  }
}

import { randomBytes, randomInt } from 'node:crypto'
import type { DeviceCodes } from '../../domain/ports/device-grants.ts'
import { userCodeLength, userCodeLetters } from '../../domain/sign-in/user-code.ts'

const letter = () => userCodeLetters.charAt(randomInt(userCodeLetters.length))

/** Codes from the random numbers of the operating system. */
export const randomDeviceCodes: DeviceCodes = {
  newUserCode: () => Array.from({ length: userCodeLength }, letter).join(''),
  newDeviceCode: (userCode) => `${userCode}.${randomBytes(32).toString('base64url')}`,
}

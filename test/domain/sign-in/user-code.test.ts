import { expect, test } from 'vitest'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/device-codes.ts'
import { parseUserCode, userCodeText } from '../../../lib/domain/sign-in/user-code.ts'

test('D101: a user code has 8 of 20 letters, and is read as people type it', () => {
  const { newUserCode } = hmacDeviceCodes(async () => 'the secret')
  const codes = Array.from({ length: 500 }, newUserCode)
  for (const code of codes) {
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    const text = userCodeText(code)
    expect(text).toBe(`${code.slice(0, 4)}-${code.slice(4)}`)
    for (const typed of [code, text, text.toLowerCase(), ` ${[...code].join(' - ')} `])
      expect(parseUserCode(typed)).toBe(code)
  }
  expect(new Set([...codes.join('')]).size).toBe(20)
  expect(new Set(codes).size).toBe(codes.length)
})

test.each(['', 'BCDFGHJ', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ1', 'BCDF_GHJK', 'BCDFGHJ\u212a'])(
  'D101: %j is no user code',
  (text) => {
    expect(parseUserCode(text)).toBeUndefined()
  },
)

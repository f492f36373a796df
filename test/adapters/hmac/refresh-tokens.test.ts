import { expect, test } from 'vitest'
import { hmacRefreshTokens } from '../../../lib/adapters/hmac/refresh-tokens.ts'
import { randomFamilyIds } from '../../../lib/adapters/random/family-ids.ts'

const tokens = hmacRefreshTokens(async () => 'the secret')
const familyId = randomFamilyIds.newFamilyId()
const token = { userId: 2 ** 53 - 1, familyId, counter: 12 }

test('D99: the text of a refresh token is always the same, and read in another container', async () => {
  const text = await tokens.write(token)
  expect(text).toMatch(/^9007199254740991\.[0-9A-Za-z]{22}\.12\.[0-9A-Za-z]{22}$/)
  expect(await tokens.write(token)).toBe(text)
  expect(await hmacRefreshTokens(async () => 'the secret').read(text)).toEqual(token)
  expect(randomFamilyIds.newFamilyId()).not.toBe(familyId)
})

test('D99: any other text is no refresh token', async () => {
  const text = await tokens.write(token)
  const others = [...text].flatMap((character, at) => [
    text.slice(0, at) + (character === '1' ? '2' : '1') + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}0${text.slice(at)}`,
  ])
  const foreign = await hmacRefreshTokens(async () => 'another').write(token)
  for (const other of ['', '...', `${text} `, `${text}\n`, `0${text}`, foreign, ...others]) {
    expect(await tokens.read(other), other).toBeUndefined()
  }
})

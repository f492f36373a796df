import { expect, test } from 'vitest'
import {
  hmacDeviceCodes,
  hmacRefreshTokens,
  hmacSignInNonces,
} from '../../../lib/adapters/hmac/sign-in-texts.ts'
import { randomText } from '../../../lib/adapters/random/random-text.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'

/** Texts that differ from a text in one place: `one` or `other` is in place of a character, or `added` is there. */
const spoiled = (text: string, one: string, other: string, added: string) =>
  [...text].flatMap((character, at) => [
    text.slice(0, at) + (character === one ? other : one) + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + added + text.slice(at),
  ])

const codes = hmacDeviceCodes('the secret')

test('D101: a device code contains its user code and 256 random bits, and is read in another container', async () => {
  const code = await codes.newDeviceCode('BCDFGHJK')
  expect(code).toMatch(/^BCDFGHJK\.[\w-]{43}\.[0-9A-Za-z]{22}$/)
  expect(await codes.newDeviceCode('BCDFGHJK')).not.toBe(code)
  expect(await hmacDeviceCodes('the secret').userCodeOf(code)).toBe('BCDFGHJK')
})

test('D129: any other text is no device code', async () => {
  const code = await codes.newDeviceCode('BCDFGHJK')
  const untagged = code.slice(0, code.lastIndexOf('.'))
  const foreign = await hmacDeviceCodes('another').newDeviceCode('BCDFGHJK')
  const others = ['', '..', untagged, `${code}\n`, code.toLowerCase(), foreign]
  for (const other of [...others, ...spoiled(code, 'B', 'C', 'B')])
    expect(await codes.userCodeOf(other), other).toBeUndefined()
})

const tokens = hmacRefreshTokens('the secret')

const familyId = randomText()

const token = { userId: 2 ** 53 - 1, familyId, counter: 12 }

test('D99: the text of a refresh token is always the same, and read in another container', async () => {
  const text = await tokens.write(token)
  expect(text).toMatch(/^9007199254740991\.[0-9A-Za-z]{22}\.12\.[0-9A-Za-z]{22}$/)
  expect(await tokens.write(token)).toBe(text)
  expect(await hmacRefreshTokens('the secret').read(text)).toEqual(token)
  expect(randomText()).not.toBe(familyId)
})

test('D99: any other text is no refresh token', async () => {
  const text = await tokens.write(token)
  const foreign = await hmacRefreshTokens('another').write(token)
  const others = ['', '...', `${text} `, `${text}\n`, `0${text}`, foreign]
  for (const other of [...others, ...spoiled(text, '1', '2', '0')]) {
    expect(await tokens.read(other), other).toBeUndefined()
  }
})

const nonces = hmacSignInNonces('the secret')

const message = {
  domain: 'game.example',
  address: addressOf(1) as Address,
  statement: 'Sign in to Lanterns.',
  chainId: 137,
  issuedAt: 1_800_000_000_000,
  requestId: 'page',
}

test('D97: a nonce is of its message, also in another container', async () => {
  const nonce = await nonces.nonceFor(message)
  expect(nonce).toMatch(/^[0-9A-Za-z]{39}$/)
  expect(await hmacSignInNonces('the secret').isOf({ ...message, nonce })).toBe(true)
  expect(await nonces.nonceFor(message)).not.toBe(nonce)
})

test.each([
  { domain: 'game.example:8443' },
  { address: addressOf(2) as Address },
  { statement: 'Sign in to Lantern.' },
  { chainId: 56 },
  { issuedAt: 1_800_000_000_001 },
  { requestId: 'link:1' },
])('D97: a nonce is of no message with %j', async (change) => {
  const nonce = await nonces.nonceFor(message)
  expect(await nonces.isOf({ ...message, ...change, nonce })).toBe(false)
})

test('D97: a nonce is of no other deployment, and no other text is a nonce', async () => {
  const nonce = await nonces.nonceFor(message)
  expect(await hmacSignInNonces('another').isOf({ ...message, nonce })).toBe(false)
  const last = nonce.endsWith('0') ? '1' : '0'
  for (const other of [
    '',
    'x',
    `${nonce}0`,
    nonce.slice(1),
    nonce.slice(0, -1) + last,
    `z${nonce.slice(1)}`,
  ]) {
    expect([other, await nonces.isOf({ ...message, nonce: other })]).toEqual([other, false])
  }
})

import { expect, test } from 'vitest'
import { hmacSignInNonces } from '../../../lib/adapters/hmac/sign-in-nonces.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

const nonces = hmacSignInNonces(async () => 'the secret')
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
  expect(await hmacSignInNonces(async () => 'the secret').isOf({ ...message, nonce })).toBe(true)
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
  expect(await hmacSignInNonces(async () => 'another').isOf({ ...message, nonce })).toBe(false)
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

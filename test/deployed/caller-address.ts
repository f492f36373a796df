import assert from 'node:assert/strict'
import { registration, type Service } from '../support/services/service.ts'

/** A limit that a test can reach. All tests before it come from one address. */
export const addressLimit = { registrationsPerAddressAndHour: 2 }

/** The limit of registrations counts the address that CloudFront names beside its secret, and no other (D54). */
export async function expectAddressBelieved(
  { call }: Service,
  originSecret: string,
): Promise<void> {
  const register = async (secret: string, address: string) => {
    const headers = { 'x-origin-secret': secret, 'cloudfront-viewer-address': address }
    const { status } = await call('POST /product', { body: registration(), headers })
    return status
  }
  for (const [first, second] of [
    ['198.51.100.10:46532', '198.51.100.10:1'],
    ['2001:db8:1:2::1:46532', '2001:db8:1:2:ffff::2:443'],
  ] as const) {
    assert.equal(await register(originSecret, first), 200)
    assert.equal(await register(originSecret, second), 200)
    assert.equal(await register(originSecret, first), 429)
  }
  // An hour may have begun since the tests before it.
  for (const host of [20, 21]) await register('a-guess', `198.51.100.${host}:1`)
  assert.equal(await register('a-guess', '198.51.100.22:1'), 429)
}

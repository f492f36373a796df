import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { publishedKeySet } from '../../../lib/adapters/jose/published-keys.ts'
import { remoteKeys } from '../../../lib/adapters/jose/remote-keys.ts'
import { givenKeys } from '../../../lib/adapters/verification-keys.ts'
import { serve } from '../../support/services/http-server.ts'
import { newProviderKey, startIdentityProvider } from '../../support/tokens/identity-provider.ts'
import { newKeyPair } from '../../support/tokens/jwts.ts'
import {
  algorithms,
  claims,
  containerOf,
  expectAccepted,
  waitSeconds,
} from '../../support/tokens/key-set-container.ts'

describe('D40: keys that are not usable', () => {
  const publicJwk = (key: KeyObject) => key.export({ format: 'jwk' }) as JWK
  const rsa = (modulusLength: number, publicExponent = 65_537) =>
    publicJwk(generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey)

  const usable = async (jwk: unknown): Promise<boolean> => {
    const url = await serve((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
    return await remoteKeys({ url, algorithms })
      .current()
      .then(
        () => true,
        () => false,
      )
  }

  test.each<[string, () => unknown]>([
    ['RSA of 1024 bits', () => rsa(1024)],
    ['RSA of 2047 bits', () => rsa(2047)],
    ['RSA with the exponent 1', () => ({ ...rsa(2048), e: 'AQ' })],
    ['RSA with the exponent 0', () => ({ ...rsa(2048), e: 'AA' })],
    ['RSA with the exponent 2', () => ({ ...rsa(2048), e: 'Ag' })],
    ['RSA with an even exponent', () => ({ ...rsa(2048), e: 'AQAA' })],
    [
      'RSA of 16,384 bits',
      () => ({ kty: 'RSA', e: 'AQAB', n: Buffer.alloc(2048, 0xff).toString('base64url') }),
    ],
    ['RSA for encryption', () => ({ ...rsa(2048), use: 'enc', alg: 'RSA-OAEP' })],
    ['RSA with another use', () => ({ ...rsa(2048), use: 'other' })],
    ['RSA for other operations', () => ({ ...rsa(2048), key_ops: ['encrypt'] })],
    ['RSA for an algorithm that is not allowed', () => ({ ...rsa(2048), alg: 'RS512' })],
    ['RSA for an algorithm of another type', () => ({ ...rsa(2048), alg: 'ES256' })],
    ['RSA with an algorithm that is no text', () => ({ ...rsa(2048), alg: ['RS256'] })],
    ['a symmetric key', () => ({ kty: 'oct', k: 'AAAA', alg: 'HS256' })],
    ['a symmetric key for RS256', () => ({ kty: 'oct', k: 'AAAA', alg: 'RS256' })],
    ['a private key', () => publicJwk(newKeyPair().privateKey)],
    [
      'a curve that no allowed algorithm has',
      () => publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
    ],
    ['a point that is not on its curve', () => ({ kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ' })],
    ['a key without a type', () => ({ n: 'AQAB', e: 'AQAB' })],
  ])('D40: %s', async (_, make) => {
    expect(await usable(make())).toBe(false)
  })

  test.each<[string, () => unknown]>([
    ['RSA of 2048 bits', () => rsa(2048)],
    ['RSA of 3072 bits with the exponent 3', () => rsa(3072, 3)],
    [
      'RSA with its use, operations, algorithm and certificate',
      () => ({
        ...rsa(2048),
        use: 'sig',
        key_ops: ['verify'],
        alg: 'RS256',
        x5c: ['MIIC'],
        x5t: 'x',
      }),
    ],
    ['P-256', () => publicJwk(newKeyPair().publicKey)],
    ['Ed25519', () => publicJwk(generateKeyPairSync('ed25519').publicKey)],
  ])('D40: %s is usable', async (_, make) => {
    expect(await usable(make())).toBe(true)
  })

  test('D40: an unusable key beside a usable one changes nothing', async () => {
    const provider = await startIdentityProvider()
    const [key] = provider.keys
    const weak = { ...rsa(1024), kid: key?.jwk.kid }
    provider.published = { keys: [null, weak, { kty: 'oct', k: 'AA' }, key?.jwk] }
    await expectAccepted(containerOf(provider), provider.sign(claims()))
  })
})

describe('D32, D40: the published keys', () => {
  const playerKey = newKeyPair().publicKey

  test('D32, D40: 4.10 is the first usable key, and the key set has all, under the names of the login', async () => {
    const provider = await startIdentityProvider()
    const encryption = await newProviderKey('RS256', { use: 'enc', alg: 'RSA-OAEP' })
    const elliptic = await newProviderKey('ES256', { alg: undefined, kid: undefined })
    provider.keys = [encryption, ...provider.keys, elliptic]
    const { keys } = containerOf(provider)
    const first = provider.keys[1]?.jwk as JWK
    expect(createPublicKey({ key: first as Record<string, unknown>, format: 'jwk' })).toEqual(
      await keys.current(),
    )
    const { keySet } = publishedKeySet(givenKeys([playerKey]), [keys])
    const [ofPlayerTokens, ...ofLogin] = await keySet()
    expect(ofPlayerTokens).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
    const { kty, crv, x, y } = elliptic.jwk
    expect(ofLogin).toEqual([
      { ...first },
      { kty, crv, x, y, kid: expect.stringMatching(/^[\w-]{43}$/), alg: 'ES256', use: 'sig' },
    ])
    expect(provider.requests()).toBe(1)
  })

  test('D40: a new key is published after 10 s at the latest', async () => {
    const provider = await startIdentityProvider()
    const { keys } = containerOf(provider)
    const { keySet } = publishedKeySet(givenKeys([playerKey]), [keys])
    await keySet()
    provider.keys.push(await newProviderKey())
    waitSeconds(11)
    expect((await keySet()).map(({ kid }) => kid).slice(1)).toEqual(
      provider.keys.map(({ jwk }) => jwk.kid),
    )
  })
})

import { createPublicKey } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importSPKI,
  type JWK,
  jwtVerify,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { sharedService } from '../support/services/service.ts'

const { call, newPlayer, userJwt } = sharedService()

const keySet = async (): Promise<{ keys: JWK[] }> => (await call('GET /.well-known/jwks.json')).json

describe('D32: get key set', () => {
  test('D32: contains the public half of each key, with alg, use and its thumbprint', async () => {
    const { keys } = await keySet()
    expect(keys).toHaveLength(2)
    for (const { kid, alg, use, ...key } of keys) {
      expect(Object.keys(key).sort()).toEqual(['crv', 'kty', 'x', 'y'])
      expect({ alg, use }).toEqual({ alg: 'ES256', use: 'sig' })
      expect(kid).toBe(await calculateJwkThumbprint(key, 'sha256'))
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2)
  })

  test('D21, D32: verifies player tokens, and user JWTs, which have another audience', async () => {
    const { playerToken, userId } = await newPlayer()
    const jwt = await userJwt()
    const published = await keySet()
    const verificationKeys = createLocalJWKSet(published)
    const { kid } = decodeProtectedHeader(playerToken)
    expect(published.keys.map((key) => key.kid)).toContain(kid)
    const { aud: audience, iss: issuer } = decodeJwt(playerToken)
    const expected = { typ: 'player+jwt', audience: String(audience), issuer: String(issuer) }
    const { payload } = await jwtVerify(playerToken, verificationKeys, expected)
    expect(payload.sub).toBe(String(userId))
    await expect(jwtVerify(jwt, verificationKeys, expected)).rejects.toThrow()
    expect((await jwtVerify(jwt, verificationKeys)).payload.aud).not.toEqual(audience)
  })
})

describe('4.10 Get public key', () => {
  test('D32: returns the base64 of a DER SubjectPublicKeyInfo, which verifies user JWTs', async () => {
    const { publicKey: base64 } = (await call('GET /public-key')).json.data
    const der = Buffer.from(base64, 'base64')
    // Standard base64: with its own alphabet and padding, without line breaks.
    expect(base64).toBe(der.toString('base64'))
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(key.export({ format: 'der', type: 'spki' })).toEqual(der)
    // In the form that JOSE libraries take.
    const pem = `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`
    const jwt = await userJwt({ userId: 42, username: 'tessaly_vane' })
    const { payload } = await jwtVerify(jwt, await importSPKI(pem, 'ES256'))
    expect(payload).toMatchObject({ sub: '42', username: 'tessaly_vane' })
  })
})

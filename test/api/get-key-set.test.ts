import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWK,
  jwtVerify,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { sharedService } from '../support/services/service.ts'

const { call, newPlayer, userJwt } = sharedService()

const keySet = async (): Promise<{ keys: JWK[] }> => (await call('GET /.well-known/jwks.json')).json

describe('D32 The key set', () => {
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

  test('D32: a game server verifies player tokens with the key set alone', async () => {
    const { playerToken, userId } = await newPlayer()
    const verificationKeys = createLocalJWKSet(await keySet())
    const { kid } = decodeProtectedHeader(playerToken)
    expect((await keySet()).keys.map((key) => key.kid)).toContain(kid)
    const { aud: audience, iss: issuer } = decodeJwt(playerToken)
    const expected = { typ: 'player+jwt', audience: String(audience), issuer: String(issuer) }
    const { payload } = await jwtVerify(playerToken, verificationKeys, expected)
    expect(payload.sub).toBe(String(userId))
    await expect(jwtVerify(await userJwt(), verificationKeys, expected)).rejects.toThrow()
  })

  test('D21, D32: user JWTs, which have another audience, verify with the key set too', async () => {
    const verificationKeys = createLocalJWKSet(await keySet())
    const jwt = await userJwt()
    const { payload } = await jwtVerify(jwt, verificationKeys)
    const { playerToken } = await newPlayer()
    expect(payload.aud).not.toEqual(decodeJwt(playerToken).aud)
  })
})

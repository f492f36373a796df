import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { calculateJwkThumbprint, createRemoteJWKSet, exportJWK, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'

const logins: readonly [string, () => KeyPairKeyObjectResult][] = [
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['EdDSA', () => generateKeyPairSync('ed25519')],
]

const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

describe.each(logins)('D22: an external login that signs with %s', (alg, newKeyPair) => {
  test('only its user JWTs are accepted, and its key is published', async () => {
    const keyPairs = [newKeyPair(), newKeyPair()]
    const keys = keyPairs.map(({ publicKey }) => publicKey)
    const { call, stack, url, userJwt } = await startOwnService({
      USER_JWT_PUBLIC_KEYS: keys.map(spki).join(),
      USER_JWT_ALGORITHM: alg,
    })
    const { issuer, audience } = stack.userJwtKey
    const present = async (key: KeyObject, algorithm = alg) => {
      const signed = await new SignJWT({ username: 'marrow_finch', wallets: [] })
        .setProtectedHeader({ alg: algorithm })
        .setSubject('7')
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key)
      return await call('GET /player/token', { userJwt: signed })
    }

    // D32: the first key is the public key, and the key set contains all keys and that of player tokens.
    expect((await call('GET /public-key')).json.data.publicKey).toBe(keys.map(spki)[0])
    const keySet = await call('GET /.well-known/jwks.json')
    const jwks = await Promise.all(keys.map((key) => exportJWK(key)))
    const kids = await Promise.all(jwks.map((jwk) => calculateJwkThumbprint(jwk)))
    expect(keySet.json.keys.slice(1)).toEqual(
      jwks.map((jwk, index) => ({ ...jwk, kid: kids[index], alg, use: 'sig' })),
    )

    const verify = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))
    for (const { privateKey } of keyPairs) {
      const answer = await present(privateKey)
      expect(answer.status, answer.text).toBe(200)
      await jwtVerify(answer.json.data.token, verify, { algorithms: ['ES256'], typ: 'player+jwt' })
    }

    expectProblem(await present(newKeyPair().privateKey), 'invalid_user_token')
    for (const [algorithm, newOther] of logins.filter(([name]) => name !== alg)) {
      expectProblem(await present(newOther().privateKey, algorithm), 'invalid_user_token')
    }
    // Signed with the stack's own KMS key, which signs no user JWTs in this deployment.
    expectProblem(
      await call('GET /player/token', { userJwt: await userJwt() }),
      'invalid_user_token',
    )
  })
})

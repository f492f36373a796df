import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startFaultProxy } from '../../../test/support/proxies/fault-proxy.ts'
import { sharedService } from '../../../test/support/services/service.ts'
import { playerTokenVerifier } from '../src/verify.ts'

const service = sharedService()
const { issuer } = inject('target').userJwtKey
const audience = 'player-nfts-local-games'
const path = '/.well-known/jwks.json'
const trust = { issuer, audience, keySetUrl: service.url + path }

describe('a token of the service', () => {
  test('is verified, with one request for any number of tokens', async () => {
    const proxy = await startFaultProxy({ target: service.url })
    const verify = playerTokenVerifier({ ...trust, keySetUrl: new URL(path, proxy.url) })
    for (const { playerToken, userId } of [await service.newPlayer(), await service.newPlayer()]) {
      const player = await verify(playerToken)
      expect(player).toMatchObject({ userId, productId: undefined, claims: { iss: issuer } })
      const { issuedAt, expiresAt } = player
      expect(expiresAt.getTime() - issuedAt.getTime()).toBe(86_400_000)
    }
    expect(proxy.requests.map(({ action }) => action)).toEqual([`GET ${path}`])
  })

  test('D52: for one game is accepted there only', async () => {
    const productId = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
    const userJwt = await service.userJwt({ userId: 7 })
    const { json } = await service.call('GET /player/token', { userJwt, query: { productId } })
    const inGame = playerTokenVerifier({ ...trust, productId: productId.toUpperCase() })
    expect(await inGame(json.data.token)).toMatchObject({ userId: 7, productId })
    for (const other of [undefined, '11111111-7b62-4c1d-9d53-2a8f1f0c9b7e']) {
      const verify = playerTokenVerifier({ ...trust, productId: other })
      await expect(verify(json.data.token)).rejects.toMatchObject({ code: 'other_game' })
    }
  })

  test('D32: of the login is no player token, nor is one of another deployment', async () => {
    const { playerToken } = await service.newPlayer()
    const invalid = { name: 'PlayerTokenError', code: 'invalid_player_token' }
    const verify = playerTokenVerifier(trust)
    for (const token of [await service.userJwt(), `${playerToken}x`, '', 7 as never]) {
      await expect(verify(token)).rejects.toMatchObject(invalid)
    }
    for (const other of [{ issuer: 'other' }, { audience: 'other' }]) {
      const elsewhere = playerTokenVerifier({ ...trust, ...other })
      await expect(elsewhere(playerToken)).rejects.toMatchObject(invalid)
    }
  })

  test('is neither valid nor invalid if the key set cannot be read', async () => {
    const { playerToken } = await service.newPlayer()
    const proxy = await startFaultProxy({
      target: service.url,
      onRequest: () => ({ status: 503, body: {} }),
    })
    for (const keySetUrl of [proxy.url + path, 'http://127.0.0.1:1/', `${service.url}/no`]) {
      const verify = playerTokenVerifier({ ...trust, keySetUrl })
      await expect(verify(playerToken)).rejects.toMatchObject({ code: 'key_set_unavailable' })
    }
  })
})

describe('with a given key set', () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let verify: ReturnType<typeof playerTokenVerifier>
  beforeAll(async () => {
    keys = await generateKeyPair('ES256')
    const key = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'k' }
    verify = playerTokenVerifier({ issuer, audience, keySet: { keys: [key] } })
  })

  const sign = (claims: JWTPayload, expiresIn = 60, typ = 'player+jwt') =>
    new SignJWT({ iss: issuer, aud: audience, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ, kid: 'k' })
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
      .sign(keys.privateKey)

  test('clocks may differ by 30 seconds, and an expired token has a code of its own', async () => {
    expect(await verify(await sign({ sub: '5' }, -20))).toMatchObject({ userId: 5 })
    const expired = await sign({ sub: '5' }, -40)
    await expect(verify(expired)).rejects.toMatchObject({ code: 'player_token_expired' })
  })

  test('D32: a token of another type is no player token', async () => {
    for (const typ of ['JWT', 'at+jwt', 'player']) {
      const token = await sign({ sub: '5' }, 60, typ)
      await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_player_token' })
    }
  })

  test('a user id is an exact integer', async () => {
    const largest = String(Number.MAX_SAFE_INTEGER)
    expect(await verify(await sign({ sub: largest }))).toMatchObject({ userId: 2 ** 53 - 1 })
    for (const sub of ['9007199254740993', 'x', '', '1e3', '-1']) {
      const token = await sign({ sub })
      await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_player_token' })
    }
  })

  test('there is exactly one source of keys', () => {
    for (const wrong of [{}, { keySet: { keys: [] }, keySetUrl: 'http://127.0.0.1:1' }]) {
      expect(() => playerTokenVerifier({ issuer, audience, ...wrong })).toThrow(TypeError)
    }
  })
})

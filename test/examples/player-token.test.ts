import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { playerTokenVerifier } from '../../examples/game-server/typescript/player-token.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { issuer, audience: userJwtAudience } = inject('target').userJwtKey
const audience = 'player-nfts-local-games'
const trust = { SERVICE_URL: service.url, ISSUER: issuer, PLAYER_TOKEN_AUDIENCE: audience }
const verify = playerTokenVerifier(trust)

/** A token with valid claims, signed with an unknown key. */
async function forged(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return await new SignJWT({ sub: '1' })
    .setProtectedHeader({ alg: 'ES256', typ: 'player+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('24h')
    .sign(privateKey)
}

describe('examples/game-server/typescript/player-token.ts', () => {
  test('returns the user id, with one request for any number of tokens', async () => {
    const proxy = await startFaultProxy({ target: service.url })
    const verifyThere = playerTokenVerifier({ ...trust, SERVICE_URL: proxy.url })
    for (const player of [await service.newPlayer(), await service.newPlayer()]) {
      expect(await verifyThere(player.playerToken)).toBe(String(player.userId))
    }
    expect(proxy.requests.map(({ action }) => action)).toEqual(['GET /.well-known/jwks.json'])
  })

  test('D32: rejects a user JWT, by its type and by its audience', async () => {
    const userJwt = await service.userJwt()
    await expect(verify(userJwt)).rejects.toMatchObject({ status: 401, cause: { claim: 'typ' } })
    const lax = playerTokenVerifier({ ...trust, PLAYER_TOKEN_AUDIENCE: userJwtAudience })
    await expect(lax(userJwt)).rejects.toMatchObject({ status: 401, cause: { claim: 'typ' } })
  })

  test('rejects another issuer, another audience and another key', async () => {
    const { playerToken } = await service.newPlayer()
    const elsewhere = playerTokenVerifier({ ...trust, ISSUER: 'https://elsewhere.example' })
    await expect(elsewhere(playerToken)).rejects.toMatchObject({
      status: 401,
      cause: { claim: 'iss' },
    })
    const otherGames = playerTokenVerifier({ ...trust, PLAYER_TOKEN_AUDIENCE: 'other-games' })
    await expect(otherGames(playerToken)).rejects.toMatchObject({
      status: 401,
      cause: { claim: 'aud' },
    })
    await expect(verify(await forged())).rejects.toThrow()
    await expect(verify('')).rejects.toThrow()
  })

  test('D52: accepts a player token for its product or for every game, and rejects other games', async () => {
    const productId = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
    const userJwt = await service.userJwt({ userId: 7 })
    const { json } = await service.call('GET /player/token', { userJwt, query: { productId } })
    const { token } = json.data
    const inGame = playerTokenVerifier({ ...trust, PRODUCT_ID: productId.toUpperCase() })
    expect(await inGame(token)).toBe('7')
    expect(await inGame((await service.newPlayer()).playerToken)).toMatch(/^\d+$/)
    const otherGame = playerTokenVerifier({ ...trust, PRODUCT_ID: productId.replace('0', '1') })
    for (const elsewhere of [otherGame, verify]) {
      await expect(elsewhere(token)).rejects.toMatchObject({ status: 401, cause: /another game/ })
    }
  })

  test('rejects an expired token', async () => {
    const { playerToken } = await service.newPlayer()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 + 10_000 })
    onTestFinished(() => void vi.useRealTimers())
    await expect(playerTokenVerifier(trust)(playerToken)).resolves.toEqual(expect.any(String))
    vi.setSystemTime(Date.now() + 30_000)
    await expect(playerTokenVerifier(trust)(playerToken)).rejects.toMatchObject({
      cause: { code: 'ERR_JWT_EXPIRED' },
    })
  })
})

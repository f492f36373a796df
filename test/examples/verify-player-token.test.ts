import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { playerTokenVerifier } from '../../examples/verify-player-token/verify-player-token.ts'
import { run } from '../support/command-fixture.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { issuer, audience: userJwtAudience } = inject('target').userJwtKey
const audience = 'player-nfts-local-games'
const trust = { serviceUrl: service.url, issuer, audience }
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

describe('examples/verify-player-token', () => {
  test('returns the user id, with one request for any number of tokens', async () => {
    const proxy = await startFaultProxy({ target: service.url })
    const verifyThere = playerTokenVerifier({ ...trust, serviceUrl: proxy.url })
    for (const player of [await service.newPlayer(), await service.newPlayer()]) {
      expect(await verifyThere(player.playerToken)).toBe(String(player.userId))
    }
    expect(proxy.requests.map(({ action }) => action)).toEqual(['GET /.well-known/jwks.json'])
  })

  test('D32: rejects a user JWT, by its type and by its audience', async () => {
    const userJwt = await service.userJwt()
    await expect(verify(userJwt)).rejects.toMatchObject({ claim: 'typ' })
    const lax = playerTokenVerifier({ ...trust, audience: userJwtAudience })
    await expect(lax(userJwt)).rejects.toMatchObject({ claim: 'typ' })
  })

  test('rejects another issuer, another audience and another key', async () => {
    const { playerToken } = await service.newPlayer()
    const elsewhere = playerTokenVerifier({ ...trust, issuer: 'https://elsewhere.example' })
    await expect(elsewhere(playerToken)).rejects.toMatchObject({ claim: 'iss' })
    const otherGames = playerTokenVerifier({ ...trust, audience: 'other-games' })
    await expect(otherGames(playerToken)).rejects.toMatchObject({ claim: 'aud' })
    await expect(verify(await forged())).rejects.toThrow()
    await expect(verify('')).rejects.toThrow()
  })

  test('D52: accepts a player token for its product or for every game, and rejects other games', async () => {
    const productId = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
    const userJwt = await service.userJwt({ userId: 7 })
    const { json } = await service.call('GET /player/token', { userJwt, query: { productId } })
    const { token } = json.data
    const inGame = playerTokenVerifier({ ...trust, productId: productId.toUpperCase() })
    expect(await inGame(token)).toBe('7')
    expect(await inGame((await service.newPlayer()).playerToken)).toMatch(/^\d+$/)
    const otherGame = playerTokenVerifier({ ...trust, productId: productId.replace('0', '1') })
    for (const elsewhere of [otherGame, verify]) {
      await expect(elsewhere(token)).rejects.toMatchObject({ code: 'ERR_OTHER_GAME' })
    }
  })

  test('rejects an expired token', async () => {
    const { playerToken } = await service.newPlayer()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 + 10_000 })
    onTestFinished(() => void vi.useRealTimers())
    await expect(playerTokenVerifier(trust)(playerToken)).resolves.toEqual(expect.any(String))
    vi.setSystemTime(Date.now() + 30_000)
    await expect(playerTokenVerifier(trust)(playerToken)).rejects.toMatchObject({
      code: 'ERR_JWT_EXPIRED',
    })
  })

  test('prints the user id of a valid token, or the reason why it is invalid', async () => {
    const verified = (PLAYER_TOKEN: string) =>
      run('examples/verify-player-token/start.ts', [], { SERVICE_URL: service.url, PLAYER_TOKEN })
    const { playerToken, userId } = await service.newPlayer()
    expect(await verified(playerToken).ended).toMatchObject({
      code: 0,
      stdout: `This player token belongs to user ${userId}.\n`,
    })
    const { code, stderr } = await verified(await service.userJwt()).ended
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'unexpected "typ" JWT header value (ERR_JWT_CLAIM_VALIDATION_FAILED)\n',
    })
  })
})

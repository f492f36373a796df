import { createPublicKey } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { kmsJwtSigner } from '../../lib/adapters/kms/jwt-signer.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress, type Player } from '../support/services/service.ts'
import { signingClient } from '../support/tokens/rotated-keys.ts'

const { call, newPlayer, newProduct, stack, url, userJwt } = await startOwnService({}, afterAll)
const { issuer, audience: userJwtAudience } = stack.userJwtKey
const playerTokenAudience = 'player-nfts-local-games'
const { playerTokenKeyArn, userJwtKeyArn } = stack.resources
const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))

const kms = new KMSClient(stack.aws)
afterAll(() => kms.destroy())

/** Signs any text with a KMS key of the stack. */
const sign = (keyArn: string, typ: string, claims: Record<string, unknown>) =>
  kmsJwtSigner(signingClient(kms), keyArn, async () => {
    const { PublicKey = new Uint8Array() } = await kms.send(
      new GetPublicKeyCommand({ KeyId: keyArn }),
    )
    return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
  }).sign({ typ }, claims)

const now = () => Math.floor(Date.now() / 1000)

/** The claims of a player token of this service, with these changes. */
const playerClaims = ({ userId }: Player, changed: Record<string, unknown> = {}) => ({
  iss: issuer,
  aud: playerTokenAudience,
  sub: String(userId),
  iat: now(),
  exp: now() + 60,
  jti: 'test',
  ...changed,
})

/** A user JWT of this player, with these changes, signed with a KMS key of the stack. */
const userJwtOf = (keyArn: string, { userId, ...user }: Player, changed: object = {}) => {
  const said = { iss: issuer, aud: userJwtAudience, sub: String(userId), ...user }
  return sign(keyArn, 'JWT', { ...said, iat: now(), exp: now() + 60, ...changed })
}

const details = (playerToken: string) => call('GET /player/details', { playerToken })

describe('D23: a player token', () => {
  test('D32: is verified with the key set and a check of aud', async () => {
    const { playerToken } = await newPlayer()
    const options = { issuer, audience: playerTokenAudience, typ: 'player+jwt' }
    await jwtVerify(playerToken, keySet, options)
    const verifiedElsewhere = jwtVerify(playerToken, keySet, { audience: userJwtAudience })
    await expect(verifiedElsewhere).rejects.toThrow(errors.JWTClaimValidationFailed)
  })

  test('an expired player token is 401 player_token_expired for every operation', async () => {
    const player = await newPlayer()
    const iat = now() - 86_401
    const claims = playerClaims(player, { iat, exp: iat + 86_400 })
    const playerToken = await sign(playerTokenKeyArn, 'player+jwt', claims)
    const apiKey = await newProduct()
    for (const path of [
      '/player/details',
      '/player/balance',
      '/player/tokens',
      '/player/tokens/raw',
    ]) {
      for (const sent of [{ playerToken }, { headers: { 'x-player-token': playerToken } }]) {
        const answer = await call(`GET ${path}`, { apiKey, ...sent })
        expectProblem(answer, 'player_token_expired')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
    }
  })

  test('of an unknown player is 401 invalid_player_token', async () => {
    const claims = playerClaims(await newPlayer(), { sub: '90071992547' })
    const playerToken = await sign(playerTokenKeyArn, 'player+jwt', claims)
    expectProblem(await details(playerToken), 'invalid_player_token')
  })
})

test('D23: an older user JWT creates a player token, but overwrites nothing', async () => {
  const player = await newPlayer([newAddress()])
  const usernameAfter = async (username: string, age: number) => {
    const jwt = await userJwtOf(userJwtKeyArn, { ...player, username }, { iat: now() - age })
    const created = await call('GET /player/token', { userJwt: jwt })
    expect(created.status, created.text).toBe(200)
    return (await details(player.playerToken)).json.data.username
  }
  expect(await usernameAfter('older', 500)).toBe(player.username)
  expect(await usernameAfter('newer', 0)).toBe('newer')
})

test('D23: user JWTs and player tokens are never accepted in place of each other, whatever they say', async () => {
  const player = await newPlayer()
  const asToken = await sign(userJwtKeyArn, 'player+jwt', playerClaims(player))
  expectProblem(await details(asToken), 'invalid_player_token')
  const userJwt = await userJwtOf(playerTokenKeyArn, player)
  expectProblem(await call('GET /player/token', { userJwt }), 'invalid_user_token')
})

describe('D23: the header X-Player-Token', () => {
  test('may repeat the player token of the query', async () => {
    const { playerToken } = await newPlayer()
    const headers = { 'x-player-token': playerToken }
    const answer = await call('GET /player/details', { playerToken, headers })
    expect(answer.status, answer.text).toBe(200)
    const query = { playerToken: '' }
    expect((await call('GET /player/details', { query, headers })).status).toBe(200)
  })
})

test('D40: the user JWTs of the local stack have the selected claims', async () => {
  const selecting = await startOwnService({
    USER_ID_CLAIM: 'https://studio.example/id',
    USERNAME_CLAIM: 'game.name',
    WALLETS_CLAIM: 'game.wallets',
  })
  const { userId, username, playerToken } = await selecting.newPlayer([newAddress()])
  const { json } = await selecting.call('GET /player/details', { playerToken })
  expect(json.data).toMatchObject({ userId, username })
})

test('D42: every issuer of the list is accepted, the first is used, and others are 401', async () => {
  const hosts = ['old', 'old,new', 'new,old', 'new'].map((PLAYER_TOKEN_ISSUERS) => {
    const functions = Object.entries(stack.functions).map(([name, { env, ...definition }]) => [
      name,
      { ...definition, env: { ...env, PLAYER_TOKEN_ISSUERS } },
    ])
    const host = startLambdaHost({ functions: Object.fromEntries(functions), log: () => undefined })
    onTestFinished(() => host.close())
    return host
  })
  const userToken = await userJwt()
  const accepted: number[][] = []
  for (const minting of hosts) {
    const minted = await invokeFunction(minting, 'createPlayerToken', { userJwt: userToken })
    const { token: playerToken } = minted.json.data
    const answers = hosts.map((host) => invokeFunction(host, 'getPlayerDetails', { playerToken }))
    accepted.push((await Promise.all(answers)).map(({ status }) => status))
  }
  expect(accepted).toEqual([
    [200, 200, 200, 401],
    [200, 200, 200, 401],
    [401, 200, 200, 200],
    [401, 200, 200, 200],
  ])
})

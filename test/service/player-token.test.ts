import { KMSClient } from '@aws-sdk/client-kms'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startContainers, withVariables } from '../support/services/containers.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { kmsKeyAt, type SigningKey } from '../support/tokens/rotated-keys.ts'

const { call, newPlayer, newProduct, stack, userJwt } = await startOwnService({}, afterAll)
const { issuer, audience: userJwtAudience } = stack.userJwtKey
const { playerTokenKeyArn, userJwtKeyArn } = stack.resources

const kms = new KMSClient(stack.aws)
afterAll(() => kms.destroy())

const tokenKey = await kmsKeyAt(kms, playerTokenKeyArn)
const loginKey = await kmsKeyAt(kms, userJwtKeyArn)

const details = (playerToken: string) => call('GET /player/details', { playerToken })

test('D23: user JWTs and player tokens are never accepted in place of each other, whatever they say', async () => {
  const { userId, username, wallets } = await newPlayer()
  const iat = Math.floor(Date.now() / 1000)
  const said = { iss: issuer, sub: String(userId), iat, exp: iat + 60 }
  const aud = 'player-nfts-local-games'
  const detailsWith = async (key: SigningKey) =>
    await details(await key.sign('player+jwt', { ...said, aud, jti: 'test' }))
  expect((await detailsWith(tokenKey)).status).toBe(200)
  expectProblem(await detailsWith(loginKey), 'invalid_player_token')
  const tokenFor = async (key: SigningKey) => {
    const user = { ...said, aud: userJwtAudience, username, wallets }
    return await call('GET /player/token', { userJwt: await key.sign('JWT', user) })
  }
  expect((await tokenFor(loginKey)).status).toBe(200)
  expectProblem(await tokenFor(tokenKey), 'invalid_user_token')
})

test('D40: the user JWTs of the local stack have the selected claims', async () => {
  const selecting = await startOwnService({
    AWS_ENDPOINT_URL: stack.aws.endpoint ?? '',
    USER_ID_CLAIM: 'https://studio.example/id',
    USERNAME_CLAIM: 'game.name',
    WALLETS_CLAIM: 'game.wallets',
  })
  const { userId, username, playerToken } = await selecting.newPlayer([newAddress()])
  const { json } = await selecting.call('GET /player/details', { playerToken })
  expect(json.data).toMatchObject({ userId, username })
})

describe('D52: a player token for one game', () => {
  const create = async (query: Record<string, string>) =>
    await call('GET /player/token', { userJwt: await userJwt(), query })
  const reads = ['GET /player/tokens', 'GET /player/tokens/raw']

  test('has the product in the claim client_id, in lower case, and is accepted for no other', async () => {
    const [own, other] = [await newProduct(), await newProduct()]
    const { productId } = (await call('GET /product', { apiKey: own })).json.data
    const { token: playerToken } = (await create({ productId: productId.toUpperCase() })).json.data
    expect(decodeJwt(playerToken)).toMatchObject({ client_id: productId })
    expect(decodeJwt((await create({ productId: '' })).json.data.token)).not.toHaveProperty(
      'client_id',
    )
    for (const read of reads) {
      expect((await call(read, { apiKey: own, playerToken })).status).toBe(200)
      const refused = await call(read, { apiKey: other, playerToken })
      expectProblem(refused, 'invalid_player_token')
      expect(refused.json.detail).toBe('The player token is for the game of another product.')
    }
    expect((await details(playerToken)).status).toBe(200)
    expect(expectProblem(await create({ productId: 'x' }), 'invalid_request')).toEqual([
      { in: 'query', path: 'productId', message: 'must be a UUID' },
    ])
  })

  test('can be required by the deployment', async () => {
    const required = withVariables(stack.functions, { PLAYER_TOKEN_PRODUCT: 'required' })
    const sent = { userJwt: await userJwt() }
    const answer = await invokeFunction(startContainers(required), 'createPlayerToken', sent)
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      { in: 'query', path: 'productId', message: 'is required' },
    ])
  })
})

test('D42: every issuer of the list is accepted, the first is used, and others are 401', async () => {
  const hosts = ['old', 'old,new', 'new,old', 'new'].map((PLAYER_TOKEN_ISSUERS) =>
    startContainers(withVariables(stack.functions, { PLAYER_TOKEN_ISSUERS })),
  )
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

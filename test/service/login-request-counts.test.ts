import { describe, expect, test } from 'vitest'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { startIdentityProvider } from '../support/tokens/identity-provider.ts'

const service = await startCountedService()

/** Counts the requests of each call of a new container that creates player tokens. */
async function countsOf(
  variables: Record<string, string>,
  userJwts: () => Promise<string>,
  calls: number,
): Promise<RequestCounts[]> {
  const host = service.newContainers(variables)
  const counts: RequestCounts[] = []
  for (let call = 0; call < calls; call += 1) {
    const userJwt = await userJwts()
    counts.push(
      await service.countsOf(async () => {
        const answer = await invokeFunction(host, 'createPlayerToken', { userJwt })
        expect(answer.status, answer.text).toBe(200)
      }),
    )
  }
  return counts
}

describe('Budget: create player token', () => {
  test('D41: with assigned ids, two reads and two writes more for a new user, then one read more', async () => {
    const user = { userId: 4_100_041 }
    const later = { GetItem: 1, UpdateItem: 1, Sign: 1 }
    expect(await countsOf({ USER_IDS: 'assigned' }, () => service.userJwt(user), 3)).toEqual([
      { GetItem: 2, PutItem: 2, UpdateItem: 1, Sign: 1, GetPublicKey: 2 },
      later,
      later,
    ])
  })

  test('D40: with a key set, one request for it in each container, and no GetPublicKey', async () => {
    const provider = await startIdentityProvider()
    const { issuer: iss, audience: aud } = service.stack.userJwtKey
    const keySet = { USER_JWT_KEY_ARNS: '', USER_JWT_JWKS_URL: provider.jwksUrl }
    const userJwt = async () => {
      const iat = Math.floor(Date.now() / 1000)
      const user = { sub: '4100042', username: 'neo', wallets: [] }
      return await provider.sign({ iss, aud, ...user, iat, exp: iat + 60 })
    }
    const each = { UpdateItem: 1, Sign: 1 }
    // The public half of the key that signs player tokens.
    expect(await countsOf(keySet, userJwt, 3)).toEqual([{ ...each, GetPublicKey: 1 }, each, each])
    expect(provider.requests()).toBe(1)
  })
})

test('D40: the user JWTs of the local stack have the selected claims', async () => {
  const { newPlayer, call } = await startOwnService({
    USER_ID_CLAIM: 'https://studio.example/id',
    USERNAME_CLAIM: 'game.name',
    WALLETS_CLAIM: 'game.wallets',
  })
  const { userId, username, playerToken } = await newPlayer([newAddress()])
  const { json } = await call('GET /player/details', { playerToken })
  expect(json.data).toMatchObject({ userId, username })
})

test('D42: every issuer of the list is accepted, the first is used, and others are 401', async () => {
  const hosts = ['old', 'old,new', 'new,old', 'new'].map((issuers) =>
    service.newContainers({ PLAYER_TOKEN_ISSUERS: issuers }),
  )
  const userJwt = await service.userJwt()
  const accepted: number[][] = []
  for (const minting of hosts) {
    const minted = await invokeFunction(minting, 'createPlayerToken', { userJwt })
    const { token: playerToken } = minted.json.data
    const sent = { playerToken }
    const answers = hosts.map((host) => invokeFunction(host, 'getPlayerDetails', sent))
    accepted.push((await Promise.all(answers)).map(({ status }) => status))
  }
  expect(accepted).toEqual([
    [200, 200, 200, 401],
    [200, 200, 200, 401],
    [401, 200, 200, 200],
    [401, 200, 200, 200],
  ])
})

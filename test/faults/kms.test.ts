import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  expectDiscretion,
  type FaultyService,
  startFaultyService,
} from '../support/services/faulty-service.ts'

let service: FaultyService

beforeAll(async () => {
  service = await startFaultyService()
})
afterEach(() => service.aws.interfere({}))

const refusal = (__type: string, status = 400): Fault => ({ status, body: { __type } })

/** Makes one AWS service, or one of its actions, fail. */
const interfere = (where: string, fault: Fault) =>
  service.aws.interfere({
    onRequest: ({ service: name, action }: ProxiedRequest) =>
      name === where || action === where ? fault : undefined,
  })

function expectUnavailable(...answers: Received[]): void {
  for (const answer of answers) expectProblem(answer, 'service_unavailable')
  expectDiscretion(service, answers)
}

const createPlayerToken = (userJwt: string) => service.call('GET /player/token', { userJwt })
const details = (playerToken: string) => service.call('GET /player/details', { playerToken })

async function productWithGear(): Promise<string> {
  const apiKey = await service.newProduct()
  await allowlist(apiKey, samples.collections.gear)
  return apiKey
}

const allowlist = (
  apiKey: string,
  { address, chain, tokenIds: tokens }: typeof samples.collections.gear,
) =>
  service.call('POST /product/tokens', {
    apiKey,
    body: { contractAddress: address, chain, contractDescription: 'A sample contract.', tokens },
  })

const wallets = samples.players.threeWallets.wallets

// First, because a function that has read a key keeps it.
describe('D23: a container that starts while KMS is down refuses no token', () => {
  const publicKey = () => service.call('GET /public-key')
  const keySet = () => service.call('GET /.well-known/jwks.json')
  /** The keys that verify player tokens come with the deployment (D74). */
  const verifiers = (playerToken: string, apiKey: string) => [
    details(playerToken),
    service.call('GET /player/tokens', { apiKey, playerToken }),
    service.call('GET /player/tokens/raw', { apiKey, playerToken }),
  ]

  test('the response is 503, not 401, until KMS is back', async () => {
    const userJwt = await service.userJwt({ wallets })
    interfere('KMS', 'drop')
    expectUnavailable(await createPlayerToken(userJwt))
    service.aws.interfere({})
    const { token } = (await createPlayerToken(userJwt)).json.data
    const apiKey = await productWithGear()
    for (const fault of [refusal('KMSInternalException', 500), refusal('AccessDeniedException')]) {
      interfere('KMS', fault)
      expectUnavailable(await publicKey())
      // The key of the login is in KMS; those of player tokens come with the deployment (D137).
      expect((await keySet()).json.keys).toHaveLength(1)
      const verified = await Promise.all(verifiers(token, apiKey))
      expect(verified.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    service.aws.interfere({})
    expect((await publicKey()).status).toBe(200)
  })
})

describe('D23: KMS refuses to sign', () => {
  test.each<[string, Fault]>([
    ['no permission', refusal('AccessDeniedException')],
    ['the key is pending deletion', refusal('KMSInvalidStateException')],
    ['throttled', refusal('ThrottlingException')],
    ['no connection', 'drop'],
  ])('%s: no token is minted, and existing tokens are still verified', async (_, fault) => {
    const { playerToken } = await service.newPlayer(wallets)
    const apiKey = await productWithGear()
    const userJwt = await service.userJwt()
    interfere('KMS', fault)
    expectUnavailable(await createPlayerToken(userJwt))
    const nfts = await service.call('GET /player/tokens', { apiKey, playerToken })
    expect(nfts.json.data.length).toBeGreaterThan(0)
    expect((await details(playerToken)).status).toBe(200)
    expectProblem(await details(`${playerToken.slice(0, -4)}AAAA`), 'invalid_player_token')
    service.aws.interfere({})
    const { token } = (await createPlayerToken(userJwt)).json.data
    expect((await details(token)).status).toBe(200)
  })

  test('the service may store the username and wallets of the user JWT, because they are true', async () => {
    const player = await service.newPlayer()
    const userJwt = await service.userJwt({ userId: player.userId, username: 'renamed', wallets })
    interfere('Sign', refusal('DisabledException'))
    expectUnavailable(await createPlayerToken(userJwt))
    expect((await details(player.playerToken)).json.data).toMatchObject({
      userId: player.userId,
      username: expect.stringMatching(new RegExp(`^(${player.username}|renamed)$`)),
    })
    service.aws.interfere({})
    const { token } = (await createPlayerToken(userJwt)).json.data
    expect((await details(token)).json.data.username).toBe('renamed')
  })

  test('a token is not returned if its player could not be stored', async () => {
    const userJwt = await service.userJwt()
    interfere('UpdateItem', 'drop')
    expectUnavailable(await createPlayerToken(userJwt))
  })
})

describe('D30: the indexer key cannot be read', () => {
  test.each<[string, Fault]>([
    ['no permission', refusal('AccessDeniedException')],
    ['an empty secret', { status: 200, body: { SecretString: '' } }],
    ['no connection', 'drop'],
  ])('%s: the response is 503, and the next request reads the key again', async (_, fault) => {
    const { playerToken } = await service.newPlayer(wallets)
    const apiKey = await productWithGear()
    const ask = () => [
      service.call('GET /player/tokens', { apiKey, playerToken }),
      service.call('GET /player/tokens/raw', { apiKey, playerToken }),
      service.call('GET /player/details', { playerToken }),
      service.call('POST /tokens/refresh', {
        apiKey,
        body: { smartContract: samples.collections.gear.address },
      }),
    ]
    interfere('SecretsManager', fault)
    // A 401 from the indexer makes the functions read the key again.
    service.indexer.interfere({ onRequest: () => ({ status: 401 }) })
    expectUnavailable(...(await Promise.all(ask())))
    service.aws.interfere({})
    service.indexer.interfere({})
    const answers = await Promise.all(ask())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers[3]?.json.data).toMatchObject({ checked: 25, pending: 0 })
  })
})

describe('SQS accepts no messages', () => {
  test.each<[string, Fault]>([
    ['no permission', refusal('AccessDeniedException')],
    ['no connection', 'drop'],
  ])('D19: %s: the contract stays connected, and can be unbound later', async (_, fault) => {
    const { gear } = samples.collections
    const apiKey = await productWithGear()
    const query = { chain: gear.chain, contractAddress: gear.address }
    const unbind = () => service.call('DELETE /product/contract', { apiKey, query })
    const list = async () => (await service.call('GET /product/tokens', { apiKey })).json.data
    interfere('SendMessage', fault)
    expectUnavailable(await unbind())
    expect(await list()).toHaveLength(25)
    service.aws.interfere({})
    expect((await unbind()).status).toBe(200)
    expect(await list()).toEqual([])
  })

  test('D31: a refresh that needs the background leaves no trace', async () => {
    const { keepers } = samples.collections
    const apiKey = await service.newProduct()
    await allowlist(apiKey, keepers)
    const body = { smartContract: keepers.address }
    const refresh = () => service.call('POST /tokens/refresh', { apiKey, body })
    interfere('SendMessage', 'drop')
    expectUnavailable(await refresh())
    service.aws.interfere({})
    expect((await refresh()).json.data).toMatchObject({ checked: 200, failed: 0, pending: 200 })
  })
})

import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { expectDiscretion, startFaultyService } from '../support/services/faulty-service.ts'

const service = await startFaultyService()

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

const { gear, keepers } = samples.collections

const wallets = samples.players.threeWallets.wallets

// First, because a function that has read a key keeps it.
const publicKey = () => service.call('GET /public-key')
const keySet = () => service.call('GET /.well-known/jwks.json')
/** The keys that verify player tokens come with the deployment (D74). */
const verifiers = (playerToken: string, apiKey: string) => [
  details(playerToken),
  service.call('GET /player/tokens', { apiKey, playerToken }),
  service.call('GET /player/tokens/raw', { apiKey, playerToken }),
]

test('D23: a container that starts while KMS is down refuses no token: the response is 503, not 401, until KMS is back', async () => {
  const userJwt = await service.userJwt({ wallets })
  interfere('KMS', 'drop')
  expectUnavailable(await createPlayerToken(userJwt))
  service.aws.interfere({})
  const { token } = (await createPlayerToken(userJwt)).json.data
  const apiKey = await productWith(service, gear)
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

test('D23: KMS refuses to sign: no token is minted, and existing tokens are still verified', async () => {
  const { playerToken } = await service.newPlayer(wallets)
  const apiKey = await productWith(service, gear)
  const userJwt = await service.userJwt()
  interfere('KMS', refusal('AccessDeniedException'))
  expectUnavailable(await createPlayerToken(userJwt))
  const nfts = await service.call('GET /player/tokens', { apiKey, playerToken })
  expect(nfts.json.data.length).toBeGreaterThan(0)
  expect((await details(playerToken)).status).toBe(200)
  expectProblem(await details(`${playerToken.slice(0, -4)}AAAA`), 'invalid_player_token')
  service.aws.interfere({})
  const { token } = (await createPlayerToken(userJwt)).json.data
  expect((await details(token)).status).toBe(200)
})

describe('SQS accepts no messages', () => {
  test('D19: the contract stays connected, and can be unbound later', async () => {
    const apiKey = await productWith(service, gear)
    const query = { chain: gear.chain, contractAddress: gear.address }
    const unbind = () => service.call('DELETE /product/contract', { apiKey, query })
    const list = async () => (await service.call('GET /product/tokens', { apiKey })).json.data
    interfere('SendMessage', refusal('AccessDeniedException'))
    expectUnavailable(await unbind())
    expect(await list()).toHaveLength(25)
    service.aws.interfere({})
    expect((await unbind()).status).toBe(200)
    expect(await list()).toEqual([])
  })

  test('D31: a refresh that needs the background leaves no trace', async () => {
    const apiKey = await productWith(service, keepers)
    const body = { smartContract: keepers.address }
    const refresh = () => service.call('POST /tokens/refresh', { apiKey, body })
    interfere('SendMessage', 'drop')
    expectUnavailable(await refresh())
    service.aws.interfere({})
    expect((await refresh()).json.data).toMatchObject({ checked: 200, failed: 0, pending: 200 })
  })
})

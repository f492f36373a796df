import { KMSClient } from '@aws-sdk/client-kms'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { startContainers, withVariables } from '../support/services/containers.ts'
import { expectDiscretion, startFaultyService } from '../support/services/faulty-service.ts'
import { kmsKey, spki } from '../support/tokens/rotated-keys.ts'

const service = await startFaultyService()
const kms = new KMSClient(service.stack.aws)
afterAll(() => kms.destroy())

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

test('D31: while SQS accepts no messages, a refresh that needs the background leaves no trace', async () => {
  const apiKey = await productWith(service, keepers)
  const body = { smartContract: keepers.address }
  const refresh = () => service.call('POST /tokens/refresh', { apiKey, body })
  interfere('SendMessage', 'drop')
  expectUnavailable(await refresh())
  service.aws.interfere({})
  expect((await refresh()).json.data).toMatchObject({ checked: 200, failed: 0, pending: 200 })
})

type Ask = (id: OperationId, sent?: Sent) => Promise<Received>

/** Functions that have not been called yet, with these settings in addition to the stack's. */
function newContainers(variables: Record<string, string>): Ask {
  // Without it, the functions read the keys from KMS.
  const fromKms = { PLAYER_TOKEN_PUBLIC_KEYS: '' }
  const functions = withVariables(service.stack.functions, { ...fromKms, ...variables })
  const host = startContainers(functions, (line) => service.log.push(line))
  return (id, sent = {}) => invokeFunction(host, id, sent)
}

/** Makes every read of this key fail. */
const hide = (keyArn: string, fault: Fault) =>
  service.aws.interfere({
    onRequest: ({ action, body }) =>
      action === 'GetPublicKey' && body.KeyId === keyArn ? fault : undefined,
  })

/** The first fault is not retried, the second is. */
const faults: [string, Fault][] = [
  ['no permission yet', refusal('AccessDeniedException')],
  ['no connection', 'drop'],
]

/** Two accepted keys, a player token signed with each, and one signed with neither. `isRead`: whether the deployment has read them. */
async function rotation(isRead = false) {
  const keys = await Promise.all([kmsKey(kms), kmsKey(kms), kmsKey(kms)])
  const iat = Math.floor(Date.now() / 1000)
  const { userId } = await service.newPlayer()
  const claims = {
    iss: service.stack.userJwtKey.issuer,
    aud: service.stack.functions['create-player-token']?.env['PLAYER_TOKEN_AUDIENCE'],
    ...{ sub: `${userId}`, iat, exp: iat + 60, jti: 'test' },
  }
  const tokens = await Promise.all(keys.map(({ sign }) => sign('player+jwt', claims)))
  const [first = '', second = '', stranger = ''] = tokens
  const keyArns = [keys[0].setting, keys[1].setting] as const
  const publicKeys = keys.slice(0, 2).map(({ publicKey }) => spki(publicKey))
  const ask = newContainers({
    PLAYER_TOKEN_KEY_ARNS: keyArns.join(),
    ...(isRead && { PLAYER_TOKEN_PUBLIC_KEYS: publicKeys.join() }),
  })
  const present = (playerToken: string) => ask('getPlayerDetails', { playerToken })
  return { keyArns, first, second, stranger, present }
}

test.each(faults)(
  'D23: one of two keys of player tokens cannot be read, %s: the other one still verifies its tokens',
  async (_, fault) => {
    const { keyArns, first, second, stranger, present } = await rotation()
    hide(keyArns[0], fault)
    expect((await present(second)).status).toBe(200)
    expectUnavailable(await present(first))
    expectUnavailable(await present(stranger))
    service.aws.interfere({})
    for (const token of [first, second]) expect((await present(token)).status).toBe(200)
    expectProblem(await present(stranger), 'invalid_player_token')
  },
)

test('D74: with the public keys of the deployment, tokens of every key are accepted, and forged tokens refused, while KMS fails', async () => {
  const { first, second, stranger, present } = await rotation(true)
  interfere('KMS', 'drop')
  const before = service.aws.proxy.count('GetPublicKey')
  for (const token of [first, second]) expect((await present(token)).status).toBe(200)
  for (const token of [stranger, 'garbage']) {
    expectProblem(await present(token), 'invalid_player_token')
  }
  expect(service.aws.proxy.count('GetPublicKey')).toBe(before)
})

describe('D32: a key that cannot be read', () => {
  const accessDenied = refusal('AccessDeniedException')

  test('D137: makes the key set 503, if it is one of player tokens', async () => {
    const { setting } = await kmsKey(kms)
    const ask = newContainers({ PLAYER_TOKEN_KEY_ARNS: setting })
    hide(setting, accessDenied)
    expect((await ask('getKeySet')).status).toBe(503)
    service.aws.interfere({})
    expect((await ask('getKeySet')).status).toBe(200)
  })

  test('leaves the public key of the login as it is, if it is the next one of a rotation', async () => {
    const [current, next] = await Promise.all([kmsKey(kms), kmsKey(kms)])
    const ask = newContainers({ USER_JWT_KEY_ARNS: [current.setting, next.setting].join() })
    hide(next.setting, accessDenied)
    const { status, json } = await ask('getPublicKey')
    expect([status, json.data?.publicKey]).toEqual([200, spki(current.publicKey)])
  })
})

import { KMSClient } from '@aws-sdk/client-kms'
import { afterAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startContainers, withVariables } from '../support/services/containers.ts'
import { expectDiscretion, startFaultyService } from '../support/services/faulty-service.ts'
import { kmsKey, type SigningKey, spki } from '../support/tokens/rotated-keys.ts'

const service = await startFaultyService()
const player = await service.newPlayer()
const kms = new KMSClient(service.stack.aws)
afterAll(() => kms.destroy())

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

/** The keys that are read in the meantime, in order. */
async function readBy(run: () => Promise<unknown>): Promise<string[]> {
  const before = service.aws.proxy.requests.length
  await run()
  return service.aws.proxy.requests
    .slice(before)
    .filter(({ action }) => action === 'GetPublicKey')
    .map(({ body }) => body.KeyId)
}

function expectUnavailable(answer: Received): void {
  expectProblem(answer, 'service_unavailable')
  expectDiscretion(service, [answer])
}

/** A kind of token, and an operation that verifies it. */
interface Kind {
  setting: string
  refusal: 'invalid_player_token' | 'invalid_user_token'
  typ: string
  claims(): Record<string, unknown>
  present(ask: Ask, token: string): Promise<Received>
}

const playerTokens: Kind = {
  setting: 'PLAYER_TOKEN_KEY_ARNS',
  refusal: 'invalid_player_token',
  typ: 'player+jwt',
  claims: () => ({
    aud: service.stack.functions['create-player-token']?.env['PLAYER_TOKEN_AUDIENCE'],
    jti: 'test',
  }),
  present: (ask, playerToken) => ask('getPlayerDetails', { playerToken }),
}

const kinds: Record<string, Kind> = {
  'a player token': playerTokens,
  'a user JWT': {
    setting: 'USER_JWT_KEY_ARNS',
    refusal: 'invalid_user_token',
    typ: 'JWT',
    claims: () => ({
      aud: service.stack.userJwtKey.audience,
      username: player.username,
      wallets: player.wallets,
    }),
    present: (ask, userJwt) => ask('createPlayerToken', { userJwt }),
  },
}

/** The first fault is not retried, the second is. */
const faults: [string, Fault][] = [
  ['no permission yet', { status: 400, body: { __type: 'AccessDeniedException' } }],
  ['no connection', 'drop'],
]

/** Two accepted keys, a token signed with each, and a token signed with neither. */
async function rotation(
  kind: Kind,
  moreVariables: (keys: readonly SigningKey[]) => Record<string, string> = () => ({}),
) {
  const keys = await Promise.all([kmsKey(kms), kmsKey(kms), kmsKey(kms)])
  const iat = Math.floor(Date.now() / 1000)
  const { issuer: iss } = service.stack.userJwtKey
  const claims = { ...kind.claims(), iss, sub: `${player.userId}`, iat, exp: iat + 60 }
  const tokens = await Promise.all(keys.map(({ sign }) => sign(kind.typ, claims)))
  const [first = '', second = '', stranger = ''] = tokens
  const keyArns = [keys[0].setting, keys[1].setting] as const
  const ask = newContainers({ [kind.setting]: keyArns.join(), ...moreVariables(keys.slice(0, 2)) })
  const present = (token: string) => kind.present(ask, token)
  return { keyArns, first, second, stranger, present }
}

describe.each(Object.entries(kinds))('D23: one of two keys of %s cannot be read', (_, kind) => {
  test.each(faults)('%s: the other key still verifies its tokens', async (_, fault) => {
    const { keyArns, first, second, stranger, present } = await rotation(kind)
    hide(keyArns[0], fault)
    expect((await present(second)).status).toBe(200)
    expectUnavailable(await present(first))
    expectUnavailable(await present(stranger))
    service.aws.interfere({})
    for (const token of [first, second]) expect((await present(token)).status).toBe(200)
    expectProblem(await present(stranger), kind.refusal)
  })
})

test('D74: with the public keys of the deployment, tokens of every key are accepted, and forged tokens refused, while KMS fails', async () => {
  const { first, second, stranger, present } = await rotation(playerTokens, (keys) => ({
    PLAYER_TOKEN_PUBLIC_KEYS: keys.map(({ publicKey }) => spki(publicKey)).join(),
  }))
  service.aws.interfere({
    onRequest: ({ service }) => (service === 'KMS' ? faults[0]?.[1] : undefined),
  })
  const reads = await readBy(async () => {
    for (const token of [first, second]) expect((await present(token)).status).toBe(200)
    for (const token of [stranger, 'garbage']) {
      expectProblem(await present(token), playerTokens.refusal)
    }
  })
  expect(reads).toEqual([])
})

describe('D32: a key that cannot be read', () => {
  const accessDenied = { status: 400, body: { __type: 'AccessDeniedException' } }

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

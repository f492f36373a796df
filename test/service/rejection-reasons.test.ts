import { randomUUID } from 'node:crypto'
import { KMSClient } from '@aws-sdk/client-kms'
import { afterAll, describe, expect, test } from 'vitest'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { tableOf } from '../support/aws/stored-items.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import type { Received } from '../support/requests/client.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { registration } from '../support/services/service.ts'
import { decodeJwt, newKeyPair, signJwt } from '../support/tokens/jwts.ts'
import { kmsKeyAt, spki } from '../support/tokens/rotated-keys.ts'

/** An external login, so that the tests can sign any user JWT. */
const login = newKeyPair()

const service = await startOwnService({ USER_JWT_PUBLIC_KEYS: spki(login.publicKey) }, afterAll)
const { call, stack } = service
const { issuer, audience } = stack.userJwtKey
const { playerTokenKeyArn, playerDigestKey, tableName } = stack.resources
const stored = storedKeysIn(stack.aws, tableName)
const digestOf = playerDigests(playerDigestKey)

const kms = new KMSClient(stack.aws)
afterAll(() => kms.destroy())
const signer = await kmsKeyAt(kms, playerTokenKeyArn)

const now = Math.floor(Date.now() / 1000)
const claims = { iss: issuer, sub: '42', iat: now, exp: now + 60, jti: 'test' }

type Changes = Record<string, unknown>

const userJwt = (changes: Changes, header: Changes = {}, key = login.privateKey): string => {
  const own = { aud: audience, username: 'neo', wallets: [] }
  return signJwt(key, { ...claims, ...own, ...changes }, { alg: 'ES256', ...header })
}
const games = 'player-nfts-local-games'
const playerToken = (changes: Changes): Promise<string> =>
  signer.sign('player+jwt', { ...claims, aud: games, ...changes })
const foreignToken = (header: Changes): string => {
  const typ = 'player+jwt'
  return signJwt(
    newKeyPair().privateKey,
    { ...claims, aud: games },
    { alg: 'ES256', typ, ...header },
  )
}

/** The fault of a refused request, as its log line has it. */
async function faultOf(answer: Received) {
  expect(answer.status, answer.text).toBe(401)
  const { code, reason, kid, player } = await lineOf(service.log, answer)
  return { code, reason, kid, player }
}

/** A response without its own id. */
const withoutId = ({ text, json }: Received): string => text.replaceAll(json.requestId, '')

const getProduct = (apiKey?: string) => call('GET /product', apiKey === undefined ? {} : { apiKey })
const read = (query: Record<string, string>) =>
  call('GET /player/tokens', { playerToken: foreignToken({}), query })

describe('D80: the log line of a request without a good API key has the fault, which the answer keeps', () => {
  const invalid = async (make: (apiKey: string) => Promise<unknown>): Promise<Received> => {
    const apiKey = await service.newProduct()
    await make(apiKey)
    return await getProduct(apiKey)
  }
  const ended = async () => {
    const keys = keysOf(call, await service.newProduct())
    const { apiKey, keyId } = keyIn(await keys.create())
    await stored.setKey(apiKey, keyId, { endsAt: new Date(0).toISOString() })
    return await getProduct(apiKey)
  }
  /** What a registration leaves that ends between its writes. */
  const withoutProduct = async () => {
    const { apiKey, productId } = (await call('POST /product', { body: registration() })).json.data
    await tableOf(service).remove({ pk: `PRODUCT#${productId}`, sk: 'PROFILE' })
    return await getProduct(apiKey)
  }
  const invalidKeys: [string, () => Promise<Received>][] = [
    ['malformed', () => getProduct('garbage')],
    ['unknown_key', () => getProduct(randomUUID())],
    ['unknown_key', withoutProduct],
    ['key_ended', ended],
    [
      'product_deleted',
      () =>
        invalid((apiKey) =>
          call('DELETE /product', { apiKey, query: { confirm: registration().name } }),
        ),
    ],
  ]

  test('D80: invalid_api_key', async () => {
    const answers = new Set<string>()
    for (const [reason, ask] of invalidKeys) {
      const answer = await ask()
      const code = 'invalid_api_key'
      expect(await faultOf(answer)).toEqual({ code, reason, kid: undefined, player: undefined })
      answers.add(withoutId(answer))
    }
    expect(answers.size).toBe(1)
  })

  test('D80: missing_api_key', async () => {
    const apiKey = await service.newProduct()
    const { productId } = (await getProduct(apiKey)).json.data
    const ask = {
      unknown: () => read({ productId: randomUUID() }),
      known: () => read({ productId }),
    }
    expect(await faultOf(await getProduct())).toMatchObject({ reason: 'no_key' })
    const answers = [await ask.unknown(), await ask.known()]
    await stored.setProduct(apiKey, { stoppedAt: new Date().toISOString() })
    answers.push(await ask.known())
    await stored.setProduct(apiKey, { endedAt: new Date().toISOString() })
    answers.push(await ask.known())
    const faults = await Promise.all(answers.map(faultOf))
    expect(faults.map(({ reason }) => reason)).toEqual([
      'unknown_product',
      'no_client_access',
      'product_stopped',
      'product_deleted',
    ])
    expect(new Set(answers.map(withoutId)).size).toBe(1)
  })
})

describe('D80: the log line of a refused token has the fault and the kid', () => {
  const signIn = (authorization: string) =>
    call('GET /player/token', { headers: { authorization } })

  test.each<[reason: string, kid: string | undefined, authorization: string]>([
    ['no_token', undefined, ''],
    ['not_bearer', undefined, 'Basic bmVvOg=='],
    ['malformed', 'other', 'Bearer garbage'],
    ['expired', 'key-1', `Bearer ${userJwt({ iat: now - 99, exp: now - 98 }, { kid: 'key-1' })}`],
    ['issuer', 'key_1.a', `Bearer ${userJwt({ iss: 'x' }, { kid: 'key_1.a' })}`],
    ['audience', 'other', `Bearer ${userJwt({ aud: 'x' })}`],
    ['algorithm', 'k', `Bearer ${userJwt({}, { alg: 'ES384', kid: 'k' })}`],
    [
      'signature',
      'k'.repeat(64),
      `Bearer ${userJwt({}, { kid: 'k'.repeat(64) }, newKeyPair().privateKey)}`,
    ],
    [
      'signature',
      'other',
      `Bearer ${userJwt({}, { kid: 'k'.repeat(65) }, newKeyPair().privateKey)}`,
    ],
    [
      'claim wallets: is missing',
      'other',
      `Bearer ${userJwt({ wallets: undefined }, { kid: 'a b' })}`,
    ],
    ['player_token', 'other', `Bearer ${userJwt({}, { typ: 'player+jwt', kid: 7 })}`],
  ])('D80: user JWT: %s, kid %s', async (reason, kid, authorization) => {
    const fault = await faultOf(await signIn(authorization))
    expect(fault).toMatchObject({ reason, ...(kid !== undefined && { kid }) })
    // The claims of an expired user JWT are verified.
    expect(fault.player).toBe(reason === 'expired' ? digestOf(42) : undefined)
  })

  test('D80: player token', async () => {
    const good = await playerToken({})
    const { kid } = decodeJwt(good).header
    const tokens: [string, string, string][] = [
      ['expired', kid, await playerToken({ iat: now - 2, exp: now - 1 })],
      ['issuer', kid, await playerToken({ iss: 'x' })],
      ['audience', kid, await playerToken({ aud: 'x' })],
      ['claim jti: is missing', kid, await playerToken({ jti: undefined })],
      ['claim sub: is not a user id', kid, await playerToken({ sub: 'neo' })],
      ['signature', kid, foreignToken({ kid })],
      ['unknown_key', 'ended', foreignToken({ kid: 'ended' })],
      ['unknown_key', 'other', foreignToken({})],
      ['malformed', 'other', 'garbage'],
      ['other_jwt', 'mine', userJwt({}, { kid: 'mine' })],
      ['unknown_player', kid, await playerToken({ sub: '4711' })],
    ]
    const ofKnown: Record<string, number> = { expired: 42, unknown_player: 4711 }
    const foreign = new Set<string>()
    for (const [reason, kid, token] of tokens) {
      const answer = await call('GET /player/details', { playerToken: token })
      const fault = await faultOf(answer)
      const code = reason === 'expired' ? 'player_token_expired' : 'invalid_player_token'
      expect(fault).toMatchObject({ code, reason, kid })
      const userId = ofKnown[reason]
      expect(fault.player).toBe(userId && digestOf(userId))
      if (userId === undefined && reason !== 'other_jwt') foreign.add(withoutId(answer))
    }
    expect([...foreign]).toEqual([expect.stringContaining('not one of this service')])
  })
})

test('D72: the log line of a success has the digest of its player, and its product', async () => {
  const registered = await call('POST /product', { body: registration() })
  const { productId } = registered.json.data
  const ofProduct = { operation: 'registerProduct', productId }
  expect(await lineOf(service.log, registered)).toMatchObject(ofProduct)
  const signedIn = await call('GET /player/token', { userJwt: userJwt({}), query: { productId } })
  const details = await call('GET /player/details', { playerToken: signedIn.json.data.token })
  for (const answer of [signedIn, details]) {
    const line = { status: 200, player: digestOf(42), productId }
    expect(await lineOf(service.log, answer)).toMatchObject(line)
  }
})

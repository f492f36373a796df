import { createPublicKey, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import {
  type IdentityProvider,
  newProviderKey,
  startIdentityProvider,
} from '../support/tokens/identity-provider.ts'
import { spki } from '../support/tokens/rotated-keys.ts'

const issuers = { studio: 'https://id.studio.example', shared: 'privy.example' }

/** A login of the list, and the claims of its user JWTs. */
const loginAt = ({ jwksUrl }: IdentityProvider, issuer: string, audience: string, more = {}) => ({
  ...{ issuer, audiences: [audience], jwksUrl, algorithms: ['ES256'] },
  ...more,
})

/** Three logins: two apps of one issuer, and another issuer, with the AWS of another service if it is given. Ends with the test, or with `onEnd`. */
async function startLogins(aws: Record<string, string>, onEnd?: typeof afterAll) {
  const start = () => startIdentityProvider('ES256', onEnd)
  const [studio, appOne, appTwo] = [await start(), await start(), await start()]
  const logins = [
    loginAt(studio, issuers.studio, 'platform'),
    loginAt(appOne, issuers.shared, 'app-1', { users: 'app 1' }),
    loginAt(appTwo, issuers.shared, 'app-2', { users: 'app 2', userIdClaim: 'id' }),
  ]
  const service = await startOwnService({ ...aws, LOGINS: JSON.stringify(logins) }, onEnd)
  return { ...service, studio, appOne, appTwo }
}

const { call, stack, studio, appOne, appTwo } = await startLogins({}, afterAll)
const sameAws = { AWS_ENDPOINT_URL: stack.aws.endpoint ?? '' }

const claims = (iss: unknown, aud: unknown, more: object = {}): JWTPayload => {
  const now = Math.floor(Date.now() / 1000)
  const user = { sub: 'user-1', id: 'user-1', username: 'neo', wallets: [newAddress()] }
  return { iss, aud, ...user, iat: now, exp: now + 3600, ...more } as JWTPayload
}

const signIn = async (
  provider: IdentityProvider,
  payload: JWTPayload,
  header?: Parameters<IdentityProvider['sign']>[1],
) => await call('GET /player/token', { userJwt: await provider.sign(payload, header) })

async function userIdOf(provider: IdentityProvider, payload: JWTPayload): Promise<number> {
  const answer = await signIn(provider, payload)
  expect(answer.status, answer.text).toBe(200)
  const { token: playerToken } = answer.json.data
  return (await call('GET /player/details', { playerToken })).json.data.userId
}

const requests = () => [studio, appOne, appTwo].map((provider) => provider.requests())

/** Expects a 401 with this detail, without a request for a key set. */
async function expectRefused(
  provider: IdentityProvider,
  payload: JWTPayload,
  detail: string,
): Promise<void> {
  const before = requests()
  const answer = await signIn(provider, payload)
  expectProblem(answer, 'invalid_user_token')
  expect(answer.json.detail).toBe(detail)
  expect(requests()).toEqual(before)
}

const otherIssuer = 'The claim iss of the user JWT is not the issuer that this service accepts.'
const otherAudience =
  'The claim aud of the user JWT does not contain the audience that this service accepts.'

describe('D90: several logins side by side', () => {
  test('D41: the same subject is another user in each login, and the same in one login', async () => {
    const signIns = [
      [studio, claims(issuers.studio, 'platform')],
      [appOne, claims(issuers.shared, 'app-1')],
      [appTwo, claims(issuers.shared, ['app-2', 'elsewhere'])],
    ] as const
    const ids = await Promise.all(signIns.map((each) => userIdOf(...each)))
    expect(new Set(ids).size).toBe(3)
    expect(await Promise.all(signIns.map((each) => userIdOf(...each)))).toEqual(ids)
  })

  test('the user id is that of the claim of the login', async () => {
    const payload = { ...claims(issuers.shared, 'app-2'), sub: randomUUID() }
    const id = await userIdOf(appTwo, payload)
    expect(await userIdOf(appTwo, { ...payload, sub: randomUUID() })).toBe(id)
    expect(await userIdOf(appTwo, { ...payload, id: randomUUID() })).not.toBe(id)
  })

  test('a JWT that names no login costs no request for keys', async () => {
    await expectRefused(studio, claims('https://other.example', 'platform'), otherIssuer)
    await expectRefused(studio, claims([issuers.studio], 'platform'), otherIssuer)
    await expectRefused(studio, claims(issuers.studio, 'app-1'), otherAudience)
  })

  test('a JWT that fits two logins is refused', async () => {
    const both = claims(issuers.shared, ['app-1', 'app-2'])
    const detail = 'The claim aud of the user JWT contains the audiences of two logins.'
    await expectRefused(appOne, both, detail)
  })

  test('a key of one login verifies no token of another, and its kid causes no request there', async () => {
    await userIdOf(studio, claims(issuers.studio, 'platform'))
    await userIdOf(appOne, claims(issuers.shared, 'app-1'))
    const before = requests()
    const foreign = await signIn(appOne, claims(issuers.studio, 'platform'))
    expectProblem(foreign, 'invalid_user_token')
    expect(foreign.json.detail).toBe(
      'The key set of the login has no usable key with the kid of the user JWT.',
    )
    const [ofStudio = 0, ...others] = before
    expect(requests()).toEqual([ofStudio + 1, ...others])
    // With the kid of a key of this login, and the signature of the other.
    const kid = studio.keys[0]?.jwk.kid
    const [key] = appOne.keys
    const forged = await signIn(appOne, claims(issuers.studio, 'platform'), {
      kid,
      ...(key && { key }),
    })
    expectProblem(forged, 'invalid_user_token')
    expect(forged.json.detail).toMatch(/^The signature of the user JWT is not valid/)
    expect(requests()).toEqual([ofStudio + 1, ...others])
  })
})

describe('D90: the published keys of several logins', () => {
  test('D32: all keys of all logins, also with equal names, and the key of the first as 4.10', async () => {
    const service = await startLogins(sameAws)
    const [key] = service.studio.keys
    const kid = `${key?.jwk.kid}`
    service.appOne.keys = [await newProviderKey('ES256', { kid })]
    const { keys } = (await service.call('GET /.well-known/jwks.json')).json
    const published = [service.studio, service.appOne, service.appTwo].flatMap(({ keys: all }) =>
      all.map(({ jwk }) => jwk),
    )
    expect(keys.slice(1)).toEqual(published)
    expect(keys.filter((jwk: { kid: string }) => jwk.kid === kid)).toHaveLength(2)
    const jwk = key?.jwk as Record<string, unknown>
    expect((await service.call('GET /public-key')).json.data.publicKey).toBe(
      spki(createPublicKey({ key: jwk, format: 'jwk' })),
    )
  })

  test('D32: a set that cannot be read is left out for 10 s', async () => {
    const service = await startLogins(sameAws)
    service.studio.misbehave = (_, response) => response.writeHead(500).end()
    const { status, json, headers } = await service.call('GET /.well-known/jwks.json')
    expect([status, json.keys.length]).toEqual([200, 3])
    expect(headers.get('cache-control')).toBe('public, max-age=10')
    expectProblem(await service.call('GET /public-key'), 'service_unavailable')
  })

  test('the sets are read side by side, so that silent ones do not add up', async () => {
    const service = await startLogins(sameAws)
    const waiting: (() => void)[] = []
    for (const provider of [service.studio, service.appOne, service.appTwo]) {
      provider.misbehave = (_, response) => {
        waiting.push(() =>
          response.end(JSON.stringify({ keys: provider.keys.map(({ jwk }) => jwk) })),
        )
        if (waiting.length === 3) for (const answer of waiting) answer()
      }
    }
    const { status, json, headers } = await service.call('GET /.well-known/jwks.json')
    expect([status, json.keys.length]).toEqual([200, 4])
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })
})

test('D90: while one login rotates its key and the key set of another is down, sign-ins of the first go on, and the keys of player tokens are published all the time', async () => {
  const service = await startLogins(sameAws)
  const { studio: rotating, appOne: away } = service
  const statusOf = async (provider: IdentityProvider, payload: JWTPayload) =>
    (await service.call('GET /player/token', { userJwt: await provider.sign(payload) })).status
  const ofFirst = () => statusOf(rotating, claims(issuers.studio, 'platform'))
  const published = async () => {
    const { status, json } = await service.call('GET /.well-known/jwks.json')
    expect(status).toBe(200)
    return json.keys.map(({ kid }: { kid: string }) => kid)
  }
  const [ofPlayerTokens] = await published()
  expect(await ofFirst()).toBe(200)
  away.misbehave = (_, response) => response.writeHead(503).end()
  for (let rotation = 0; rotation < 3; rotation += 1) {
    rotating.keys = [await newProviderKey('ES256')]
    expect(await ofFirst()).toBe(200)
    expect((await published())[0]).toBe(ofPlayerTokens)
  }
  // The function that creates player tokens has never read this set.
  expect(await statusOf(away, claims(issuers.shared, 'app-1'))).toBe(503)
  expect(await ofFirst()).toBe(200)
})

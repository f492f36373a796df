import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { sampleOf } from '../../bench/cold-start/samples.ts'
import { eventOf } from '../../bench/scenario/events.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { startIdentityProvider } from '../support/tokens/identity-provider.ts'

const provider = await startIdentityProvider('ES256', afterAll)

const settings = {
  ISSUER: provider.issuer,
  USER_JWT_JWKS_URL: provider.jwksUrl,
  USER_JWT_ALGORITHMS: 'RS256,ES256',
  USER_IDS: 'assigned',
  PLAYER_TOKEN_ISSUERS: 'https://nfts.studio.example',
}

const { stack } = await startOwnService(settings, afterAll)
const { issuer, audience } = stack.userJwtKey
const sameAws = { AWS_ENDPOINT_URL: stack.aws.endpoint ?? '' }

const claims = (changed: JWTPayload = {}): JWTPayload => {
  const now = Math.floor(Date.now() / 1000)
  const user = { sub: randomUUID(), username: 'tessaly', wallets: [newAddress()] }
  return { iss: issuer, aud: audience, ...user, iat: now, exp: now + 3600, ...changed }
}

test('D40: a cold start with a key set does not load undici', async () => {
  const authorization = `Bearer ${await provider.sign(claims())}`
  const before = provider.requests()
  for (const [name, headers] of [
    ['create-player-token', { authorization }],
    ['get-public-key', {}],
    ['get-key-set', {}],
  ] as const) {
    const { file = '', env = {} } = stack.functions[name] ?? {}
    const subject = { file, load: 'require', bytes: 0 } as const
    const event = { ...(eventOf({}) as object), headers }
    expect((await sampleOf({ subject, variables: env, event })).undici).toEqual([])
  }
  expect(provider.requests()).toBe(before + 3)
})

test('D137: the reason of the failure is in every line of the pause after it, also where the answer is 200', async () => {
  const down = await startIdentityProvider()
  down.misbehave = (_, response) => response.writeHead(500).end()
  const variables = { ...settings, ...sameAws, USER_JWT_JWKS_URL: down.jwksUrl }
  const service = await startOwnService(variables)
  const userJwt = await down.sign(claims())
  const lines: unknown[] = []
  for (const [call, sent] of [
    ['GET /.well-known/jwks.json', {}],
    ['GET /player/token', { userJwt }],
  ] as const) {
    for (const _ of ['the request', 'the pause']) {
      const { status, reason, keySetFailures } = await lineOf(
        service.log,
        await service.call(call, sent),
      )
      lines.push([status, reason, keySetFailures])
    }
  }
  const reason = 'key set of the login: HTTP 500'
  expect(lines).toEqual([
    [200, reason, 1],
    [200, reason, undefined],
    [503, reason, 1],
    [503, reason, undefined],
  ])
  expect(down.requests()).toBe(2)
})

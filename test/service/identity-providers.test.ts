import type { JWTPayload } from 'jose'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { newProviderKey, startIdentityProvider } from '../support/tokens/identity-provider.ts'

/** An identity provider, in the form that its documentation shows. */
interface Example {
  /** The parts of its discovery document that the settings contain. */
  discovery: { issuer: string; jwks_uri: string; id_token_signing_alg_values_supported: string[] }
  audience: string
  /** The members of its JWKs besides those of the key. */
  members: Record<string, unknown>
  /** Other keys in its set. */
  others?: Record<string, unknown>[]
  claims(wallets: string[]): JWTPayload
  /** The claims that the deployment selects. */
  settings: Record<string, string>
  username: string
}

const certificate = { x5c: ['MIIDBTCCAe2gAwIBAgIJ'], x5t: 'NjVBRjY5MDlCMUIwNzU4RTA2QzZFMDQ4QzQ2' }

const examples: Record<string, Example> = {
  Auth0: {
    discovery: {
      issuer: 'https://studio.eu.auth0.com/',
      jwks_uri: 'https://studio.eu.auth0.com/.well-known/jwks.json',
      id_token_signing_alg_values_supported: ['HS256', 'RS256', 'PS256'],
    },
    audience: 'pLq9VnWz3kXbT0yRfUe7',
    members: { ...certificate, kid: 'NjVBRjY5MDlCMUIwNzU4RTA2QzZFMDQ4', alg: 'RS256', use: 'sig' },
    claims: (wallets) => ({
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      nickname: 'tessaly',
      name: 'tessaly@studio.example',
      email_verified: true,
      'https://studio.example/wallets': wallets,
    }),
    settings: { USERNAME_CLAIM: 'nickname', WALLETS_CLAIM: 'https://studio.example/wallets' },
    username: 'tessaly',
  },
  Cognito: {
    discovery: {
      issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEf123',
      jwks_uri:
        'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEf123/.well-known/jwks.json',
      id_token_signing_alg_values_supported: ['RS256'],
    },
    audience: '1example23456789',
    members: { kid: 'VJ5FgRJxZx2xQ4l5kA1v1yW3c8Jr0b6w=', alg: 'RS256', use: 'sig' },
    claims: (wallets) => ({
      sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      'cognito:username': 'tessaly',
      'cognito:groups': ['players'],
      token_use: 'id',
      event_id: '64f513be-32db-42b0-b78e-b02127b4f463',
      auth_time: 1_676_312_777,
      wallets,
    }),
    settings: { USERNAME_CLAIM: 'cognito:username' },
    username: 'tessaly',
  },
  Keycloak: {
    discovery: {
      issuer: 'https://login.studio.example/realms/games',
      jwks_uri: 'https://login.studio.example/realms/games/protocol/openid-connect/certs',
      id_token_signing_alg_values_supported: ['PS384', 'ES384', 'RS256', 'HS256', 'ES256', 'EdDSA'],
    },
    audience: 'player-nfts',
    members: { ...certificate, kid: 'FJ86GcF3jTbNLOco4NvZkUCIUmfYCqoqtOQeMfbhNlE', alg: 'RS256' },
    others: [{ use: 'enc', alg: 'RSA-OAEP', ...certificate }],
    claims: (wallets) => ({
      sub: 'f1888f4d-5172-4359-be0c-af338505d86c',
      typ: 'ID',
      azp: 'player-nfts',
      sid: '0c9a9c2f-9a05-4f1c-a9a1-2f3b1d6f6b01',
      acr: '1',
      preferred_username: 'tessaly',
      game: { wallets },
    }),
    settings: { USERNAME_CLAIM: 'preferred_username', WALLETS_CLAIM: 'game.wallets' },
    username: 'tessaly',
  },
  Firebase: {
    discovery: {
      issuer: 'https://securetoken.google.com/studio-games',
      jwks_uri:
        'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
      id_token_signing_alg_values_supported: ['RS256'],
    },
    audience: 'studio-games',
    members: { kid: 'a96f5f7e0b3c1d2e4f5a69788776655443322110', alg: 'RS256', use: 'sig' },
    claims: (wallets) => ({
      sub: 'ZDNFaGVsbG9Xb3JsZEZpcmU',
      user_id: 'ZDNFaGVsbG9Xb3JsZEZpcmU',
      name: 'Tessaly Vane',
      auth_time: 1_676_312_777,
      firebase: { identities: { email: ['t@studio.example'] }, sign_in_provider: 'password' },
      wallets,
    }),
    settings: { USER_ID_CLAIM: 'user_id', USERNAME_CLAIM: 'name' },
    username: 'Tessaly Vane',
  },
}

describe.each(Object.entries(examples))('D40, D41: %s', (_, example) => {
  test('a user signs in with an ID token as documented, and keeps the assigned id', async () => {
    const { discovery, audience, members, others = [], claims, settings, username } = example
    const provider = await startIdentityProvider()
    const [key, next] = [await newProviderKey('RS256', members), await newProviderKey('RS256')]
    const encryption = await Promise.all(others.map((names) => newProviderKey('RS256', names)))
    provider.keys = [...encryption, next, key]
    const { call } = await startOwnService({
      ISSUER: discovery.issuer,
      USER_JWT_AUDIENCE: audience,
      // Only the host differs from the documented URL.
      USER_JWT_JWKS_URL: new URL(new URL(discovery.jwks_uri).pathname, provider.jwksUrl).href,
      USER_JWT_ALGORITHMS: 'RS256',
      USER_IDS: 'assigned',
      ...settings,
    })
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: discovery.issuer, aud: audience, iat: now, exp: now + 3600 }
    const signIn = async (changed: JWTPayload = {}) => {
      const payload = { ...claims([newAddress()]), ...standard, ...changed }
      return await call('GET /player/token', { userJwt: await provider.sign(payload) })
    }
    const detailsOf = async (playerToken: string) =>
      (await call('GET /player/details', { playerToken })).json.data

    const first = await signIn()
    expect(first.status, first.text).toBe(200)
    const details = await detailsOf(first.json.data.token)
    expect(details).toMatchObject({ userId: expect.any(Number), username, amount: 0 })
    expect(details.userId).toBeLessThan(2 ** 31)
    expect(await detailsOf((await signIn()).json.data.token)).toEqual(details)

    const other = { sub: 'another-user', user_id: 'another-user' }
    expect((await detailsOf((await signIn(other)).json.data.token)).userId).not.toBe(details.userId)
    // An ID token of another application, and a token without an audience, as Cognito's access token.
    expectProblem(await signIn({ aud: 'another-application' }), 'invalid_user_token')
    expectProblem(await signIn({ aud: undefined } as Record<string, unknown>), 'invalid_user_token')
    expectProblem(await signIn({ iss: `${discovery.issuer}x` }), 'invalid_user_token')
  })
})

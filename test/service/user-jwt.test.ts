import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base64url, exportJWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

/** An external login, so that the tests can sign any user JWT (D22). */
const login = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

const { call, stack } = await startOwnService(
  { USER_JWT_PUBLIC_KEYS: spki(login.publicKey) },
  afterAll,
)
const { issuer, audience } = stack.userJwtKey

const now = () => Math.floor(Date.now() / 1000)

/** The claims of an accepted user JWT, with these changes. `undefined` removes a claim. */
const claims = (changed: Record<string, unknown> = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: '4242',
  username: 'marrow_finch',
  wallets: [],
  iat: now(),
  exp: now() + 3600,
  ...changed,
})

/** Signs as the login does, unless changed. */
const sign = (
  payload: JWTPayload,
  {
    key = login.privateKey,
    ...header
  }: Record<string, unknown> & { key?: KeyObject | Buffer } = {},
) => new SignJWT(payload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)

const present = (userJwt: string) => call('GET /player/token', { userJwt })

async function expectAccepted(userJwt: string): Promise<void> {
  const { status, text } = await present(userJwt)
  expect(status, text).toBe(200)
}

/** Expects that a user JWT is rejected, and returns the detail of the response. */
async function refusalOf(userJwt: string): Promise<string> {
  const answer = await present(userJwt)
  expectProblem(answer, 'invalid_user_token')
  return answer.json.detail
}

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('D21: the claims of a user JWT', () => {
  test.each<[string, Record<string, unknown>]>([
    ['an ordinary user JWT', {}],
    ['sub 0', { sub: '0' }],
    ['sub 2^53-1', { sub: '9007199254740991' }],
    ['a username of 1 character', { username: 'x' }],
    ['a username of 100 code points', { username: '🕯'.repeat(100) }],
    ['20 wallets', { wallets: Array.from({ length: 20 }, newAddress) }],
    ['a checksummed wallet', { wallets: [checksummed] }],
    ['a wallet in upper case', { wallets: [`0x${checksummed.slice(2).toUpperCase()}`] }],
    ['several audiences including this service', { aud: ['elsewhere', audience] }],
    ['additional claims', { roles: ['admin'], jti: 'x', __proto__x: {} }],
  ])('%s is accepted', async (_, changed) => {
    await expectAccepted(await sign(claims(changed)))
  })

  test.each<[string, unknown[]]>([
    ['sub', [undefined, '', '-1', '01', '1.5', '1e3', 'x', ' 1', '9007199254740992', 42, null]],
    ['username', [undefined, '', 'x'.repeat(101), '\ud800', 7, null, ['x']]],
    [
      'wallets',
      [
        undefined,
        null,
        newAddress().slice(2),
        [7],
        ['0x12'],
        [checksummed.replace('aA', 'Aa')],
        Array.from({ length: 21 }, newAddress),
      ],
    ],
    ['iss', [undefined, '', 'https://elsewhere.example', ['player-nfts-local']]],
    ['aud', [undefined, '', 'elsewhere', ['elsewhere'], 'player-nfts-local-games']],
    ['iat', [undefined, '0', -1, null]],
    ['exp', [undefined, 'tomorrow', null]],
  ])('a missing or invalid %s is 401, naming the claim', async (claim, values) => {
    for (const value of values) {
      const refusal = await refusalOf(await sign(claims({ [claim]: value })))
      const rule = value === undefined ? 'is missing' : '(must|needs|is not|does not) .+'
      expect(refusal).toMatch(new RegExp(`^The claim ${claim} of the user JWT ${rule}\\.$`))
    }
  })
})

describe('D21: clocks may be 30 s apart', () => {
  test('a user JWT that expired less than 30 s ago is accepted', async () => {
    await expectAccepted(await sign(claims({ exp: now() - 15 })))
  })

  test('a user JWT that expired earlier is 401', async () => {
    expect(await refusalOf(await sign(claims({ exp: now() - 31 })))).toBe(
      'The user JWT has expired.',
    )
  })

  test('a user JWT issued in the future is accepted within 30 s only', async () => {
    await expectAccepted(await sign(claims({ iat: now() + 15, nbf: now() + 15 })))
    await refusalOf(await sign(claims({ iat: now() + 60 })))
    await refusalOf(await sign(claims({ nbf: now() + 60 })))
  })
})

describe('D21: algorithm and key type come from the deployment, never from the token', () => {
  const forged = 'The signature of the user JWT is not valid: no accepted key verifies it.'
  const otherAlgorithm =
    'The user JWT is signed with an algorithm that this service does not accept.'

  test('alg none is 401', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const parts = [{ alg }, claims()].map((part) => base64url.encode(JSON.stringify(part)))
      expect(await refusalOf(`${parts.join('.')}.`)).toBe(otherAlgorithm)
      expect(await refusalOf(`${parts.join('.')}.AAAA`)).toBe(otherAlgorithm)
    }
  })

  test('an HMAC with the public key as its secret is 401', async () => {
    const { publicKey } = login
    const secrets = [
      publicKey.export({ format: 'der', type: 'spki' }),
      Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
      Buffer.from(spki(publicKey)),
    ]
    for (const key of secrets) {
      expect(await refusalOf(await sign(claims(), { alg: 'HS256', key }))).toBe(otherAlgorithm)
    }
  })

  test('other algorithms are 401, even with a valid signature', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    const ed25519 = generateKeyPairSync('ed25519').privateKey
    for (const [alg, key] of Object.entries({
      RS256: rsa,
      PS256: rsa,
      ES384: p384,
      EdDSA: ed25519,
    })) {
      expect(await refusalOf(await sign(claims(), { alg, key }))).toBe(otherAlgorithm)
    }
  })

  test('another key is 401, even if the token contains it or links to it', async () => {
    const { privateKey: key, publicKey } = stranger
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine' }
    const headers = [
      {},
      { jwk },
      { kid: 'mine', jku: 'https://stranger.example/jwks.json' },
      { x5u: 'https://stranger.example/cert', x5c: [spki(publicKey)] },
    ]
    for (const header of headers) {
      expect(await refusalOf(await sign(claims(), { ...header, key }))).toBe(forged)
    }
  })

  test('any kid is accepted', async () => {
    await expectAccepted(await sign(claims(), { kid: 'login-2025', typ: 'JWT' }))
  })

  test('a user JWT modified after it was signed is 401', async () => {
    const [header, , signature] = (await sign(claims())).split('.')
    const payload = base64url.encode(JSON.stringify(claims({ sub: '1' })))
    expect(await refusalOf(`${header}.${payload}.${signature}`)).toBe(forged)
  })

  test('an unknown critical extension is 401', async () => {
    const parts = [{ alg: 'ES256', crit: ['own'], own: 1 }, claims()]
    const encoded = parts.map((part) => base64url.encode(JSON.stringify(part))).join('.')
    expect(await refusalOf(`${encoded}.${base64url.encode(Buffer.alloc(64, 1))}`)).toBe(
      'The user JWT has a critical header parameter (crit) that this service does not support.',
    )
  })

  test('D23: a user JWT with the type of a player token is 401', async () => {
    for (const typ of ['player+jwt', 'Player+JWT', 'application/player+jwt']) {
      await refusalOf(await sign(claims(), { typ }))
    }
  })
})

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base64url, exportJWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

/** A login that lives elsewhere, so that the tests can sign whatever they like (D22). */
const login = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

const { call, stack } = await startOwnService(
  { USER_JWT_PUBLIC_KEYS: spki(login.publicKey) },
  afterAll,
)
const { issuer, audience } = stack.userJwtKey

const now = () => Math.floor(Date.now() / 1000)

/** The claims of a user JWT that is accepted, but for those given. `undefined`: the claim is missing. */
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

/** Signs as the login does, unless said otherwise. */
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

/** Expects a user JWT to be refused, and answers what the caller is told. */
async function refusalOf(userJwt: string): Promise<string> {
  const answer = await present(userJwt)
  expectProblem(answer, 'invalid_user_token')
  return answer.json.detail
}

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('D21: the claims of a user JWT', () => {
  test.each<[string, Record<string, unknown>]>([
    ['nothing out of the ordinary', {}],
    ['sub 0', { sub: '0' }],
    ['sub 2^53-1', { sub: '9007199254740991' }],
    ['a username of 1 character', { username: 'x' }],
    ['a username of 100 code points', { username: '🕯'.repeat(100) }],
    ['20 wallets', { wallets: Array.from({ length: 20 }, newAddress) }],
    ['a checksummed wallet', { wallets: [checksummed] }],
    ['a wallet in upper case', { wallets: [`0x${checksummed.slice(2).toUpperCase()}`] }],
    ['several audiences, this one among them', { aud: ['elsewhere', audience] }],
    ['claims that nobody asked for', { roles: ['admin'], jti: 'x', __proto__x: {} }],
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
        newAddress(),
        [7],
        ['0x12'],
        [checksummed.slice(2)],
        [checksummed.replace('aA', 'Aa')],
        Array.from({ length: 21 }, newAddress),
      ],
    ],
    ['iss', [undefined, '', 'https://elsewhere.example', ['player-nfts-local']]],
    ['aud', [undefined, '', 'elsewhere', ['elsewhere'], 'player-nfts-local-games']],
    ['iat', [undefined, '0', -1, null]],
    ['exp', [undefined, 'tomorrow', null]],
  ])('without a %s that is accepted is 401, naming it', async (claim, values) => {
    for (const value of values) {
      const refusal = await refusalOf(await sign(claims({ [claim]: value })))
      expect(refusal).toBe(`The claim ${claim} of the user JWT is missing or not accepted.`)
    }
  })
})

describe('D21: clocks may be 30 s apart', () => {
  test('a user JWT that expired within them is accepted', async () => {
    await expectAccepted(await sign(claims({ exp: now() - 15 })))
  })

  test('one that expired before is 401', async () => {
    expect(await refusalOf(await sign(claims({ exp: now() - 31 })))).toBe(
      'The user JWT has expired.',
    )
  })

  test('one from the future is accepted within them only', async () => {
    await expectAccepted(await sign(claims({ iat: now() + 15, nbf: now() + 15 })))
    await refusalOf(await sign(claims({ iat: now() + 60 })))
    await refusalOf(await sign(claims({ nbf: now() + 60 })))
  })
})

describe('D21: algorithm and key type are the deployment’s, never the token’s', () => {
  const forged = 'The user JWT is malformed or its signature is not valid.'

  test('alg none is 401', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const parts = [{ alg }, claims()].map((part) => base64url.encode(JSON.stringify(part)))
      expect(await refusalOf(`${parts.join('.')}.`)).toBe(forged)
      expect(await refusalOf(`${parts.join('.')}.AAAA`)).toBe(forged)
    }
  })

  test('an HMAC under the public key is 401', async () => {
    const { publicKey } = login
    const secrets = [
      publicKey.export({ format: 'der', type: 'spki' }),
      Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
      Buffer.from(spki(publicKey)),
    ]
    for (const key of secrets) {
      expect(await refusalOf(await sign(claims(), { alg: 'HS256', key }))).toBe(forged)
    }
  })

  test('other algorithms, however well signed, are 401', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    const ed25519 = generateKeyPairSync('ed25519').privateKey
    for (const [alg, key] of Object.entries({
      RS256: rsa,
      PS256: rsa,
      ES384: p384,
      EdDSA: ed25519,
    })) {
      expect(await refusalOf(await sign(claims(), { alg, key }))).toBe(forged)
    }
  })

  test('another key is 401, also one that the token brings along or points to', async () => {
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

  test('a kid of the login’s own naming is no hindrance', async () => {
    await expectAccepted(await sign(claims(), { kid: 'login-2025', typ: 'JWT' }))
  })

  test('one that was changed after it was signed is 401', async () => {
    const [header, , signature] = (await sign(claims())).split('.')
    const payload = base64url.encode(JSON.stringify(claims({ sub: '1' })))
    expect(await refusalOf(`${header}.${payload}.${signature}`)).toBe(forged)
  })

  test('a critical extension that is not understood is 401', async () => {
    const parts = [{ alg: 'ES256', crit: ['own'], own: 1 }, claims()]
    const encoded = parts.map((part) => base64url.encode(JSON.stringify(part))).join('.')
    expect(await refusalOf(`${encoded}.${base64url.encode(Buffer.alloc(64, 1))}`)).toBe(forged)
  })

  test('D23: one that calls itself a player token is 401', async () => {
    for (const typ of ['player+jwt', 'Player+JWT', 'application/player+jwt']) {
      await refusalOf(await sign(claims(), { typ }))
    }
  })
})

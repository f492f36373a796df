import { describe, expect, test } from 'vitest'
import { joseUserJwts } from '../../../lib/adapters/jose/user-jwts.ts'
import { givenKeys } from '../../../lib/adapters/verification-keys.ts'
import { InvalidUserJwt } from '../../../lib/domain/failures.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { hmacJwt, newKeyPair, signJwt, unsignedJwt } from '../../support/tokens/jwts.ts'

const { publicKey, privateKey } = newKeyPair()
const previous = newKeyPair()
const der = publicKey.export({ format: 'der', type: 'spki' })
const pem = publicKey.export({ format: 'pem', type: 'spki' })

Object.assign(process.env, {
  ISSUER: 'https://login.example',
  USER_JWT_AUDIENCE: 'platform',
  PLAYER_TOKEN_AUDIENCE: 'games',
  USER_JWT_PUBLIC_KEYS: der.toString('base64'),
})

const userJwts = joseUserJwts(givenKeys([publicKey, previous.publicKey]))

const now = () => Math.floor(Date.now() / 1000)
const claims = () => ({
  iss: 'https://login.example',
  aud: 'platform',
  sub: '42',
  username: 'neo',
  wallets: [addressOf(1)],
  iat: now(),
  exp: now() + 3600,
})

/** A user JWT with changed claims; `undefined` omits a claim. */
const jwtWith = (changes: object, header?: Record<string, unknown>) =>
  signJwt(privateKey, { ...claims(), ...changes }, header)

const verified = async (changes: object) => await userJwts.verify(jwtWith(changes))

/** The reason for which a user JWT is rejected. */
async function refusal(jwt: string): Promise<string> {
  const error = await userJwts.verify(jwt).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(InvalidUserJwt)
  return error.message
}

const notAccepted = (claim: string) =>
  `The claim ${claim} of the user JWT is missing or not accepted.`
const notVerified = 'The user JWT is malformed or its signature is not valid.'

describe('D21: user JWTs', () => {
  test('D21: a valid user JWT describes the user', async () => {
    const iat = now() - 5
    expect(await verified({ iat })).toEqual({
      userId: 42,
      username: 'neo',
      wallets: [addressOf(1)],
      issuedAt: iat,
    })
  })

  test('D21: every accepted key verifies, so that keys can be rotated', async () => {
    const jwt = signJwt(previous.privateKey, claims())
    expect(await userJwts.verify(jwt)).toMatchObject({ userId: 42 })
    expect(await refusal(signJwt(newKeyPair().privateKey, claims()))).toBe(notVerified)
  })

  test.each([
    ['without a signature', () => unsignedJwt(claims())],
    ['with HS256 and the public key as DER', () => hmacJwt(der, claims())],
    ['with HS256 and the public key as PEM', () => hmacJwt(pem, claims())],
    ['that names another algorithm', () => jwtWith({}, { alg: 'RS256' })],
    ['that names no algorithm', () => jwtWith({}, {})],
    [
      'with a header that must be understood',
      () => jwtWith({}, { alg: 'ES256', crit: ['x'], x: 1 }),
    ],
    [
      'that brings its own key',
      () => {
        const { publicKey: jwk, privateKey: theirs } = newKeyPair()
        return signJwt(theirs, claims(), { alg: 'ES256', jwk: jwk.export({ format: 'jwk' }) })
      },
    ],
    [
      'with changed claims',
      () => jwtWith({}).replace(/\.[^.]*\./, `.${jwtWith({ sub: '1' }).split('.')[1]}.`),
    ],
    ['without claims', () => signJwt(privateKey, null)],
    ['that is a list', () => signJwt(privateKey, [claims()])],
    ['of two parts', () => 'eyJhbGciOiJFUzI1NiJ9.e30'],
    ['of five parts', () => 'a.b.c.d.e'],
    ['of nothing', () => ''],
    ['of garbage', () => '\u0000.💥.='],
  ])('D21: a user JWT %s is rejected', async (_, make) => {
    expect(await refusal(make())).toBe(notVerified)
  })

  test.each([
    ['iss', [undefined, 'https://other.example', 7, '']],
    ['aud', [undefined, 'games', [], ['games'], 7]],
    ['exp', [undefined, '9999999999', null]],
    ['iat', [undefined, `${now()}`, null, -1]],
    ['nbf', [now() + 60, 'now']],
    [
      'sub',
      [
        undefined,
        42,
        '',
        '-1',
        '+1',
        '01',
        '1.5',
        '1e3',
        ' 1',
        '0x1',
        '9007199254740992',
        '9'.repeat(30),
      ],
    ],
    ['username', [undefined, '', 7, null, 'x'.repeat(101), '\ud83d']],
    [
      'wallets',
      [
        undefined,
        null,
        addressOf(1),
        [7],
        ['0x'],
        Array.from({ length: 21 }, (_, n) => addressOf(n)),
      ],
    ],
  ])('D21: the claim %s is validated', async (claim, values) => {
    for (const value of values) {
      const message = await refusal(jwtWith({ [claim]: value }))
      expect([value, message]).toEqual([value, notAccepted(claim)])
    }
  })

  test('D21: iss and aud must be those of the deployment; aud may contain others', async () => {
    expect(await verified({ aud: ['platform', 'elsewhere'] })).toMatchObject({ userId: 42 })
  })

  test('D21: 30 s of leeway after exp', async () => {
    expect(await verified({ exp: now() - 28 })).toMatchObject({ userId: 42 })
    expect(await refusal(jwtWith({ exp: now() - 31 }))).toBe('The user JWT has expired.')
  })

  test('D21: 30 s of leeway before iat', async () => {
    expect(await verified({ iat: now() + 28 })).toMatchObject({ userId: 42 })
    expect(await refusal(jwtWith({ iat: now() + 35 }))).toBe(notAccepted('iat'))
  })

  test('D21: user ids from 0 to 2^53-1', async () => {
    expect(await verified({ sub: '0' })).toMatchObject({ userId: 0 })
    const largest = Number.MAX_SAFE_INTEGER
    expect(await verified({ sub: `${largest}` })).toMatchObject({ userId: largest })
  })

  test('D4, D21: a username of up to 100 code points', async () => {
    const username = '𝌆'.repeat(100)
    expect(await verified({ username })).toMatchObject({ username })
    expect(await refusal(jwtWith({ username: `${username}x` }))).toBe(notAccepted('username'))
  })

  test('D14, D21: up to 20 wallets, in any accepted form, each once in lower case', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => addressOf(index))
    expect(await verified({ wallets: twenty })).toMatchObject({ wallets: twenty })
    expect(await verified({ wallets: [] })).toMatchObject({ wallets: [] })
    const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const upper = `0x${mixed.slice(2).toUpperCase()}`
    const wallets = [mixed, upper, mixed.toLowerCase()]
    expect(await verified({ wallets })).toMatchObject({ wallets: [mixed.toLowerCase()] })
    const wrong = mixed.replace('aAeb', 'aaeb')
    expect(await refusal(jwtWith({ wallets: [wrong] }))).toBe(notAccepted('wallets'))
  })

  test.each(['player+jwt', 'application/player+jwt', 'PLAYER+JWT'])(
    'D23: a user JWT with the type %s is rejected, whatever its key',
    async (typ) => {
      const said = await refusal(jwtWith({}, { alg: 'ES256', typ }))
      expect(said).toBe('This is a player token, not a user JWT.')
    },
  )
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { joseUserJwts } from '../../../lib/adapters/jose/user-jwts.ts'
import { givenKeys } from '../../../lib/adapters/verification-keys.ts'
import { InvalidUserJwt } from '../../../lib/domain/credential-failures.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { hmacJwt, newKeyPair, signJwt, unsignedJwt } from '../../support/tokens/jwts.ts'

const [{ publicKey, privateKey }, previous] = [newKeyPair(), newKeyPair()]
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

async function refusal(jwt: string): Promise<string> {
  const error = await userJwts.verify(jwt).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(InvalidUserJwt)
  return error.message
}

const ofClaim = (claim: string, rule: string) => `The claim ${claim} of the user JWT ${rule}.`
const malformed = 'The user JWT is malformed: it must be a signed JWT in its compact form.'
const notVerified = 'The signature of the user JWT is not valid: no accepted key verifies it.'
const otherAlgorithm = 'The user JWT is signed with an algorithm that this service does not accept.'
const critical =
  'The user JWT has a critical header parameter (crit) that this service does not support.'

describe('D21: user JWTs', () => {
  test('D21: a valid user JWT describes the user', async () => {
    const iat = now() - 5
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    expect(await verified({ iat, wallets: [wallet] })).toEqual({
      issuer: 'https://login.example',
      subject: '42',
      username: 'neo',
      wallets: [wallet.toLowerCase()],
      issuedAt: iat,
    })
  })

  test('D21: every accepted key verifies, so that keys can be rotated', async () => {
    const jwt = signJwt(previous.privateKey, claims(), { alg: 'ES256', kid: 'any', typ: 'JWT' })
    expect(await userJwts.verify(jwt)).toMatchObject({ subject: '42' })
    expect(await refusal(signJwt(newKeyPair().privateKey, claims()))).toBe(notVerified)
  })

  test.each<[string, () => string, string]>([
    ['without a signature', () => unsignedJwt(claims()), otherAlgorithm],
    ['with HS256 and the public key as DER', () => hmacJwt(der, claims()), otherAlgorithm],
    ['with HS256 and the public key as PEM', () => hmacJwt(pem, claims()), otherAlgorithm],
    ['that names another algorithm', () => jwtWith({}, { alg: 'RS256' }), otherAlgorithm],
    ['that names no algorithm', () => jwtWith({}, {}), otherAlgorithm],
    [
      'with a header that must be understood',
      () => jwtWith({}, { alg: 'ES256', crit: ['x'], x: 1 }),
      critical,
    ],
    [
      'that brings its own key, and links to it',
      () => {
        const { publicKey: theirs, privateKey: key } = newKeyPair()
        const [jwk, jku] = [theirs.export({ format: 'jwk' }), 'https://login.example/']
        return signJwt(key, claims(), { alg: 'ES256', jwk, jku, x5u: jku })
      },
      notVerified,
    ],
    [
      'with changed claims',
      () => jwtWith({}).replace(/\.[^.]*\./, `.${jwtWith({ sub: '1' }).split('.')[1]}.`),
      notVerified,
    ],
    ['without claims', () => signJwt(privateKey, null), malformed],
    ['that is a list', () => signJwt(privateKey, [claims()]), malformed],
    ['of two parts', () => 'eyJhbGciOiJFUzI1NiJ9.e30', malformed],
    ['of five parts', () => 'a.b.c.d.e', malformed],
    ['of nothing', () => '', malformed],
    ['of garbage', () => '\u0000.💥.=', malformed],
  ])('D21: a user JWT %s is rejected, and the detail says why', async (_, make, message) => {
    expect(await refusal(make())).toBe(message)
  })

  const mustBeTime = 'must be a number of seconds since 1970'
  const otherIssuer = 'is not the issuer that this service accepts'
  const otherAudience = 'does not contain the audience that this service accepts'
  const mustBeId =
    'needs the setting userIds (USER_IDS) "assigned", or must be a decimal integer from 0 to 2^53-1, written as text'
  const mustBeName = 'must be text of 1 to 100 characters'

  type Case = [claim: string, value: unknown, rule: string]
  const badIds = [42, '', '-1', '+1', '01', '1.5', '1e3', ' 1', '0x1', '9007199254740992']
  const badNames = ['', 7, null, 'x'.repeat(101), '\ud83d']

  test.each<Case>([
    ...['iss', 'aud', 'exp', 'iat', 'sub', 'username', 'wallets'].map(
      (claim): Case => [claim, undefined, 'is missing'],
    ),
    ['iss', 'https://other.example', otherIssuer],
    ['iss', 7, otherIssuer],
    ['iss', '', otherIssuer],
    ['aud', 'games', otherAudience],
    ['aud', [], otherAudience],
    ['aud', ['games'], otherAudience],
    ['aud', 7, otherAudience],
    ['exp', '9999999999', mustBeTime],
    ['exp', null, mustBeTime],
    ['iat', `${now()}`, mustBeTime],
    ['iat', null, mustBeTime],
    ['iat', -1, mustBeTime],
    ['nbf', now() + 60, 'is in the future: the user JWT is not valid yet'],
    ['nbf', 'now', mustBeTime],
    ...[...badIds, '9'.repeat(30)].map((sub): Case => ['sub', sub, mustBeId]),
    ...badNames.map((name): Case => ['username', name, mustBeName]),
    ['wallets', null, 'must be a list'],
  ])(
    'D21: the claim %s is validated, and the detail names the rule: %j',
    async (claim, value, rule) => {
      expect(await refusal(jwtWith({ [claim]: value }))).toBe(ofClaim(claim, rule))
    },
  )

  test('D21: iss and aud must be those of the deployment; aud may contain others', async () => {
    expect(await verified({ aud: ['platform', 'elsewhere'] })).toMatchObject({ subject: '42' })
  })

  test('D21: 30 s of leeway after exp', async () => {
    expect(await verified({ exp: now() - 28 })).toMatchObject({ subject: '42' })
    expect(await refusal(jwtWith({ exp: now() - 31 }))).toBe('The user JWT has expired.')
  })

  test('D21: 30 s of leeway before iat', async () => {
    expect(await verified({ iat: now() + 28, nbf: now() + 28 })).toMatchObject({ subject: '42' })
    expect(await refusal(jwtWith({ iat: now() + 35 }))).toBe(ofClaim('iat', 'is in the future'))
  })

  test('D53: from iat to exp there are at most 24 hours', async () => {
    const iat = now()
    expect(await verified({ iat, exp: iat + 86_400 })).toMatchObject({ subject: '42' })
    const tooLong = ofClaim('exp', 'is more than 86400 seconds after iat')
    expect(await refusal(jwtWith({ iat, exp: iat + 86_401 }))).toBe(tooLong)
    const day = 86_400
    expect(await refusal(jwtWith({ iat: iat - 365 * day, exp: iat + 60 }))).toBe(tooLong)
    // An old user JWT whose lifetime is short enough has expired.
    expect(await refusal(jwtWith({ iat: iat - day - 31, exp: iat - 31 }))).toBe(
      'The user JWT has expired.',
    )
    expect(await verified({ iat: iat - day - 20, exp: iat - 20 })).toMatchObject({ subject: '42' })
  })

  test('D53: a deployment can choose the longest lifetime', async () => {
    vi.stubEnv('USER_JWT_MAX_LIFETIME_SECONDS', '600')
    vi.resetModules()
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.resetModules()
    })
    const adapter = await import('../../../lib/adapters/jose/user-jwts.ts')
    const strict = adapter.joseUserJwts(givenKeys([publicKey]))
    expect(await strict.verify(jwtWith({ exp: now() + 600 }))).toMatchObject({ subject: '42' })
    await expect(strict.verify(jwtWith({ exp: now() + 602 }))).rejects.toThrow(
      ofClaim('exp', 'is more than 600 seconds after iat'),
    )
  })

  test('D21: user ids from 0 to 2^53-1', async () => {
    expect(await verified({ sub: '0' })).toMatchObject({ subject: '0' })
    const largest = Number.MAX_SAFE_INTEGER
    expect(await verified({ sub: `${largest}` })).toMatchObject({ subject: `${largest}` })
  })

  test.each(['player+jwt', 'application/player+jwt', 'PLAYER+JWT'])(
    'D23: a user JWT with the type %s is rejected, whatever its key',
    async (typ) => {
      const said = await refusal(jwtWith({}, { alg: 'ES256', typ }))
      expect(said).toBe('This is a player token, not a user JWT.')
    },
  )
})

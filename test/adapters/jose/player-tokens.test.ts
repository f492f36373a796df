import { createVerify, generateKeyPairSync, sign, verify } from 'node:crypto'
import { KMSClient } from '@aws-sdk/client-kms'
import { compactVerify } from 'jose'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { playerTokenKeys } from '../../../functions/composition/token-keys.ts'
import { josePlayerTokens } from '../../../lib/adapters/jose/player-tokens.ts'
import { es256Signature } from '../../../lib/adapters/kms/jwt-signer.ts'
import { kmsPlayerTokenMint } from '../../../lib/adapters/kms/player-token-mint.ts'
import { givenKeys } from '../../../lib/adapters/verification-keys.ts'
import { InvalidPlayerToken, PlayerTokenExpired } from '../../../lib/domain/credential-failures.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import {
  issuer,
  playerTokenAudience,
  startTestAws,
  userJwtAudience,
} from '../../support/aws/test-aws.ts'
import {
  decodeJwt,
  newKeyPair,
  signJwt,
  thumbprint,
  unsignedJwt,
} from '../../support/tokens/jwts.ts'
import { kmsKeyAt } from '../../support/tokens/rotated-keys.ts'

const aws = await startTestAws()
const kms = new KMSClient({ ...aws.access, endpoint: aws.proxy.url })
afterAll(() => kms.destroy())

// The functions read the keys from KMS.
process.env['PLAYER_TOKEN_PUBLIC_KEYS'] = ''

afterEach(() => {
  aws.interfere({})
  vi.useRealTimers()
})

const { publicKey: playerKey, sign: signInKms } = await kmsKeyAt(
  kms,
  aws.resources.playerTokenKeyArn,
)

async function kmsActionsOf(run: () => Promise<unknown>): Promise<string[]> {
  const before = aws.proxy.requests.length
  await run()
  return aws.proxy.requests.slice(before).map(({ action }) => action)
}

describe('4.11 Create player token', () => {
  const mint = kmsPlayerTokenMint()

  test('D23: has exactly the specified header and claims', async () => {
    const token = await mint.mint(42)
    const { header, claims } = decodeJwt(token)
    expect(header).toEqual({ typ: 'player+jwt', alg: 'ES256', kid: thumbprint(playerKey) })
    expect(claims).toEqual({
      iss: issuer,
      aud: playerTokenAudience,
      sub: '42',
      iat: expect.any(Number),
      exp: claims.iat + 86_400,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(60)
    const [input, signature = ''] = [token.slice(0, token.lastIndexOf('.')), token.split('.')[2]]
    const verifier = createVerify('sha256').update(input)
    const key = { key: playerKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verifier.verify(key, signature, 'base64url')).toBe(true)
  })

  test('each player token has a different identifier', async () => {
    const [one, other] = await Promise.all([mint.mint(42), mint.mint(42)])
    expect(decodeJwt(one).claims.jti).not.toBe(decodeJwt(other).claims.jti)
  })

  test('Budget: one KMS call in a warm container, two in a cold one', async () => {
    expect(await kmsActionsOf(() => mint.mint(42))).toEqual(['Sign'])
    expect(await kmsActionsOf(() => kmsPlayerTokenMint().mint(42))).toEqual([
      'GetPublicKey',
      'Sign',
    ])
  })

  test('D3: an error of KMS is service_unavailable', async () => {
    const body = { __type: 'AccessDeniedException', message: 'secret words' }
    aws.interfere({ onRequest: () => ({ status: 400, body }) })
    const failure = await mint.mint(42).catch((error) => error)
    expect(failure).toBeInstanceOf(ServiceUnavailable)
    expect(failure.reason).toBe('KMS: AccessDeniedException')
  })
})

describe('D23: verifying player tokens', () => {
  const mint = kmsPlayerTokenMint()
  const playerTokens = josePlayerTokens(playerTokenKeys())
  const own = newKeyPair()
  const withOwnKey = josePlayerTokens(givenKeys([playerKey, own.publicKey]))
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: playerTokenAudience,
    sub: '7',
    iat: now,
    exp: now + 86_400,
    jti: 'some',
  }
  const header = { alg: 'ES256', typ: 'player+jwt' }

  test('D23: a valid player token identifies the player', async () => {
    expect(await playerTokens.verify(await mint.mint(42))).toMatchObject({ userId: 42 })
    const verified = await withOwnKey.verify(signJwt(own.privateKey, claims, header))
    expect(verified).toEqual({ userId: 7, issuedAt: now })
  })

  test('Budget: no call in a warm container; in a cold one, one for each key and any number of callers', async () => {
    const token = await mint.mint(42)
    await playerTokens.verify(token)
    expect(await kmsActionsOf(() => playerTokens.verify(token))).toEqual([])
    const cold = josePlayerTokens(playerTokenKeys())
    const five = () => Promise.all([1, 2, 3, 4, 5].map(() => cold.verify(token)))
    expect(await kmsActionsOf(five)).toEqual(['GetPublicKey'])
  })

  test('D95: a container verifies a token once, and another text is another token', async () => {
    const keys = givenKeys([own.publicKey])
    const accepted = vi.spyOn(keys, 'accepted')
    const verifier = josePlayerTokens(keys)
    const signed = (sub: string) => signJwt(own.privateKey, { ...claims, sub }, header)
    const [one, other] = [signed('7'), signed('8')]
    expect(await verifier.verify(one)).toEqual(await verifier.verify(one))
    expect(accepted).toHaveBeenCalledTimes(1)
    const forged = other.replace(/[^.]+$/, one.split('.')[2] ?? '')
    await expect(verifier.verify(forged)).rejects.toThrow(InvalidPlayerToken)
  })

  test('a failed read of the key is not cached', async () => {
    const token = await mint.mint(42)
    const cold = josePlayerTokens(playerTokenKeys())
    aws.interfere({ onRequest: () => ({ status: 400, body: { __type: 'DisabledException' } }) })
    await expect(cold.verify(token)).rejects.toThrow(ServiceUnavailable)
    aws.interfere({})
    expect(await cold.verify(token)).toMatchObject({ userId: 42 })
  })

  test('8: valid for 24 hours, to the second', async () => {
    const token = await mint.mint(42)
    const { exp } = decodeJwt(token).claims
    vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 })
    expect(await playerTokens.verify(token)).toMatchObject({ userId: 42 })
    vi.setSystemTime(exp * 1000)
    await expect(playerTokens.verify(token)).rejects.toThrow(PlayerTokenExpired)
  })

  const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const expired = { ...claims, iat: now - 120, exp: now - 60 }
  const [signed = '', , signature = ''] = signJwt(own.privateKey, claims, header).split('.')
  const others = signJwt(own.privateKey, { ...claims, sub: '8' }, header).split('.')[1]
  const changed = `${signed}.${others}.${signature}`
  test.each([
    ['another audience', signJwt(own.privateKey, { ...claims, aud: userJwtAudience }, header)],
    ['another issuer', signJwt(own.privateKey, { ...claims, iss: 'x' }, header)],
    ['no jti', signJwt(own.privateKey, { ...claims, jti: undefined }, header)],
    ['no exp', signJwt(own.privateKey, { ...claims, exp: undefined }, header)],
    ['no iat', signJwt(own.privateKey, { ...claims, iat: undefined }, header)],
    ['no type', signJwt(own.privateKey, claims)],
    ['another type', signJwt(own.privateKey, claims, { alg: 'ES256', typ: 'JWT' })],
    ['another algorithm', signJwt(own.privateKey, claims, { alg: 'ES384', typ: 'player+jwt' })],
    ['an unknown key', signJwt(stranger, claims, header)],
    ['no signature', unsignedJwt(claims)],
    ['changed claims', changed],
    ['no valid form', 'garbage'],
    ['another type, expired', signJwt(own.privateKey, expired, { alg: 'ES256', typ: 'JWT' })],
    ['an unknown key, expired', signJwt(stranger, expired, header)],
  ])('D23: a player token with %s is rejected', async (_, token) => {
    await expect(withOwnKey.verify(token)).rejects.toThrow(InvalidPlayerToken)
  })

  test.each([
    '',
    ' 7',
    '7 ',
    '07',
    '+7',
    '-7',
    '0x7',
    '7e0',
    '7.0',
    '9007199254740992',
    7,
    null,
    ['7'],
  ])('D53: a player token with the sub %j is rejected', async (sub) => {
    const token = signJwt(own.privateKey, { ...claims, sub }, header)
    await expect(withOwnKey.verify(token)).rejects.toThrow(InvalidPlayerToken)
  })

  test.each(['0', '9007199254740991'])('D53: the sub %s is a user id', async (sub) => {
    const token = signJwt(own.privateKey, { ...claims, sub }, header)
    expect(await withOwnKey.verify(token)).toMatchObject({ userId: Number(sub) })
  })

  const productId = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e' as ProductId

  test.each(['', 'x', 7, null, [productId], {}])(
    'D52: a player token with the client_id %j is rejected',
    async (client_id) => {
      const token = signJwt(own.privateKey, { ...claims, client_id }, header)
      await expect(withOwnKey.verify(token)).rejects.toThrow(InvalidPlayerToken)
    },
  )
})

test('D23: KMS receives a JWT of up to 4,096 bytes as RAW text, and the digest of a longer JWT', async () => {
  const seen = new Map<number, string>()
  for (let length = 2_900; length < 3_100; length += 1) {
    const jwt = await signInKms('JWT', { text: 'x'.repeat(length) })
    const { payload } = await compactVerify(jwt, playerKey)
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ text: 'x'.repeat(length) })
    const { MessageType, Message } = aws.proxy.requests.at(-1)?.body ?? {}
    const signingInput = jwt.slice(0, jwt.lastIndexOf('.'))
    seen.set(signingInput.length, MessageType)
    if (MessageType === 'RAW') expect(Buffer.from(Message, 'base64').toString()).toBe(signingInput)
  }
  const types = [...seen].map(([bytes, type]) => [bytes <= 4_096, type])
  expect(new Set(types.map(String))).toEqual(new Set(['true,RAW', 'false,DIGEST']))
})

describe('RFC 7518 section 3.4: ES256 signatures', () => {
  const { privateKey, publicKey } = newKeyPair()

  /** The lengths of r and s in DER. */
  const lengths = (der: Buffer) => [der[3] as number, der[5 + (der[3] as number)] as number]

  test('each DER signature becomes 64 bytes that verify, for short and long numbers', () => {
    const seen = new Set<number>()
    for (let index = 0; index < 500 || !seen.has(31) || !seen.has(33); index += 1) {
      const message = Buffer.from(`message ${index}`)
      const der = sign('sha256', message, privateKey)
      for (const length of lengths(der)) seen.add(length)
      const signature = es256Signature(der)
      expect(signature).toHaveLength(64)
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha256', message, key, signature)).toBe(true)
    }
  })

  test('numbers of one byte are padded', () => {
    const signature = es256Signature(Buffer.from([0x30, 6, 2, 1, 7, 2, 1, 9]))
    expect(signature.toString('hex')).toBe(`${'00'.repeat(31)}07${'00'.repeat(31)}09`)
  })

  test.each([
    ['nothing', []],
    ['a truncated number', [0x30, 6, 2, 1, 7, 2, 5, 9]],
    ['one number', [0x30, 3, 2, 1, 7]],
    ['no numbers', [0x30, 6, 3, 1, 7, 3, 1, 9]],
    ['another outer tag', [0x31, 6, 2, 1, 7, 2, 1, 9]],
    ['a longer outer length', [0x30, 7, 2, 1, 7, 2, 1, 9]],
    ['a shorter outer length', [0x30, 5, 2, 1, 7, 2, 1, 9]],
    ['an indefinite length', [0x30, 0x80, 2, 1, 7, 2, 1, 9, 0, 0]],
    ['a length in the long form', [0x30, 0x81, 6, 2, 1, 7, 2, 1, 9]],
    ['bytes after the sequence', [0x30, 6, 2, 1, 7, 2, 1, 9, 0]],
    ['bytes in the sequence after the numbers', [0x30, 7, 2, 1, 7, 2, 1, 9, 0]],
    ['a third number', [0x30, 9, 2, 1, 7, 2, 1, 9, 2, 1, 9]],
    ['an empty number', [0x30, 5, 2, 0, 2, 1, 9]],
    ['a negative number', [0x30, 6, 2, 1, 0x80, 2, 1, 9]],
    ['the number 0', [0x30, 6, 2, 1, 0, 2, 1, 9]],
    ['a leading zero byte that no high bit requires', [0x30, 7, 2, 2, 0, 7, 2, 1, 9]],
    ['two leading zero bytes', [0x30, 8, 2, 3, 0, 0, 0x80, 2, 1, 9]],
    ['a number of P-521', [0x30, 71, 2, 66, ...Array.from({ length: 66 }, () => 1), 2, 1, 9]],
  ])('D53: %s is rejected as a signature', (_, bytes) => {
    expect(() => es256Signature(Buffer.from(bytes))).toThrow()
  })
})

import { sign, verify } from 'node:crypto'
import { KMSClient } from '@aws-sdk/client-kms'
import { compactVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { es256Signature, kmsJwtSigner } from '../../../lib/adapters/kms/jwt-signer.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { newKeyPair } from '../../support/tokens/jwts.ts'
import { kmsKeyAt, signingClient } from '../../support/tokens/rotated-keys.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'

const { access, resources, proxy } = await startTestAws()
const kms = new KMSClient({ ...access, endpoint: proxy.url })
atFileEnd(() => kms.destroy())
const keyId = resources.playerTokenKeyArn
const { publicKey } = await kmsKeyAt(kms, keyId)
const signer = kmsJwtSigner(signingClient(kms), keyId, async () => publicKey)

test('D23: KMS receives a JWT of up to 4,096 bytes as RAW text, and the digest of a longer JWT', async () => {
  const seen = new Map<number, string>()
  for (let length = 2_900; length < 3_100; length += 1) {
    const jwt = await signer.sign({ typ: 'JWT' }, { text: 'x'.repeat(length) })
    const { payload } = await compactVerify(jwt, publicKey)
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ text: 'x'.repeat(length) })
    const { MessageType, Message } = proxy.requests.at(-1)?.body ?? {}
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

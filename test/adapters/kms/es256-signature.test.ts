import { sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { es256Signature } from '../../../lib/adapters/kms/jwt-signer.ts'
import { newKeyPair } from '../../support/tokens/jwts.ts'

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

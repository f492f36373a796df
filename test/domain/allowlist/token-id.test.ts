import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareTokenIds,
  fromSortableTokenId,
  parseTokenId,
  sortableTokenId,
  type TokenId,
} from '../../../lib/domain/allowlist/token-id.ts'
import { check } from '../../support/vitest/seeded.ts'

const largest = 2n ** 256n - 1n
// Every bit length is equally likely, because sizes matter more than values.
const number = fc
  .integer({ min: 0, max: 256 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))
const tokenId = number.map((value) => `${value}` as TokenId)

const spelled = fc.tuple(number, fc.boolean(), fc.boolean(), fc.integer({ min: 0, max: 20 }))

describe('D15: token identifiers', () => {
  test('D15: decimal and hexadecimal text of a number is read as its canonical decimal text', () => {
    check(
      fc.property(spelled, ([value, hex, upper, zeros]) => {
        const digits = '0'.repeat(zeros) + value.toString(hex ? 16 : 10)
        const text = hex ? `0${upper ? 'X' : 'x'}${digits}` : digits
        expect(parseTokenId(upper ? text.toUpperCase() : text)).toBe(`${value}`)
      }),
      1_000,
    )
  })

  test('D15: 2^256 is too large', () => {
    expect(parseTokenId(`${largest}`)).toBe(`${largest}`)
    expect(parseTokenId(`${largest + 1n}`)).toBeUndefined()
    expect(parseTokenId(`0x${'f'.repeat(64)}`)).toBe(`${largest}`)
    expect(parseTokenId(`0x1${'0'.repeat(64)}`)).toBeUndefined()
  })

  test('D15: a token identifier has up to 100 characters, including leading zeros', () => {
    expect(parseTokenId('7'.padStart(100, '0'))).toBe('7')
    expect(parseTokenId('7'.padStart(101, '0'))).toBeUndefined()
    expect(parseTokenId(`0x${'7'.padStart(98, '0')}`)).toBe('7')
    expect(parseTokenId(`0x${'7'.padStart(99, '0')}`)).toBeUndefined()
    expect(parseTokenId('9'.repeat(100))).toBeUndefined()
  })

  test.each([
    '',
    '-1',
    '+1',
    '1e3',
    '1.0',
    '1.',
    ' 1',
    '1 ',
    '1\n',
    '0x',
    '0xg',
    'x1',
    '1n',
    '0b1',
    '0o7',
    '1_000',
    'ff',
    '٣',
    '１',
    'NaN',
    'null',
    '0x-1',
    '--1',
    '0x0x1',
  ])('D15: %j is not a token identifier', (text) => {
    expect(parseTokenId(text)).toBeUndefined()
  })

  test('D15: any text is refused or has the value that BigInt gives it', () => {
    const anyText = fc.oneof(fc.string({ maxLength: 6 }), fc.stringMatching(/^[0-9a-fxX+-]{0,8}$/))
    check(
      fc.property(anyText, (text) => {
        const read = parseTokenId(text)
        const isNumber = /^(\d+|0[xX][\da-fA-F]+)$/.test(text)
        expect(read).toBe(isNumber ? BigInt(text).toString() : undefined)
      }),
      1_000,
    )
  })
})

describe('D18: token identifiers are ordered as numbers', () => {
  const sign = (difference: number | bigint) => (difference < 0 ? -1 : difference > 0 ? 1 : 0)

  test('D18: the order of sortable texts is the order of numbers', () => {
    check(
      fc.property(tokenId, tokenId, (a, b) => {
        const [x, y] = [sortableTokenId(a), sortableTokenId(b)]
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(sign(BigInt(a) - BigInt(b)))
        expect(sign(compareTokenIds(a, b))).toBe(sign(BigInt(a) - BigInt(b)))
      }),
      1_000,
    )
  })

  test('a sortable text has 78 digits, enough for the largest identifier, and can be reversed', () => {
    expect(sortableTokenId(`${largest}` as TokenId)).toBe(`${largest}`)
    check(
      fc.property(tokenId, (id) => {
        expect(sortableTokenId(id)).toMatch(/^\d{78}$/)
        expect(fromSortableTokenId(sortableTokenId(id))).toBe(id)
      }),
    )
  })
})

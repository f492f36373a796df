import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeTokenRanges,
  encodeTokenRanges,
} from '../../../lib/adapters/dynamodb/token-ranges.ts'
import {
  maxTokenElementLength,
  parseTokenElement,
  tokenElementText,
} from '../../../lib/domain/allowlist/token-element.ts'
import {
  compareTokenIds,
  fromSortableTokenId,
  largestTokenId,
  parseTokenId,
  sortableTokenId,
  type TokenId,
} from '../../../lib/domain/allowlist/token-id.ts'
import {
  differenceOf,
  everyTokenId,
  rangeWith,
  sizeOf,
  type TokenRange,
  type TokenRanges,
  unionOf,
} from '../../../lib/domain/allowlist/token-ranges.ts'
import { check } from '../../support/vitest/seeded.ts'

/** Few identifiers, at both ends of the numbers, so that ranges often touch and overlap. */
const few = [...Array.from({ length: 12 }, (_, n) => BigInt(n)), 2n ** 64n].concat(
  Array.from({ length: 12 }, (_, n) => largestTokenId - 11n + BigInt(n)),
)

const someRange = fc
  .tuple(fc.constantFrom(...few), fc.constantFrom(...few))
  .map(([a, b]): TokenRange => (a < b ? { first: a, last: b } : { first: b, last: a }))
const someRanges = fc.array(someRange, { maxLength: 8 })

/** A number of any size: each number of bits is equally likely. */
const someNumber = fc
  .integer({ min: 0, max: 256 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))

/** Ranges of any numbers, up to the maximum of a contract. */
const anyRanges = fc
  .uniqueArray(someNumber, { maxLength: 200 })
  .map((numbers) => {
    const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1))
    return sorted.flatMap((first, index): TokenRange[] => {
      const last = sorted[index + 1]
      return index % 2 === 1 || last === undefined ? [] : [{ first, last }]
    })
  })
  .map((ranges) => unionOf([], ranges))

const membersOf = (ranges: readonly TokenRange[]) =>
  few.filter((number) => ranges.some(({ first, last }) => first <= number && number <= last))

/** Whether the ranges are in order, and neither overlap nor touch. */
const isNormal = (ranges: TokenRanges) =>
  ranges.every(
    ({ first, last }, index) =>
      first <= last && first > (ranges[index - 1]?.last ?? -2n) + 1n && last <= largestTokenId,
  )

describe('D57 sets of token identifiers', () => {
  test('D57: the union and the difference have exactly their identifiers, in a normal form', () => {
    check(
      fc.property(someRanges, someRanges, (a, b) => {
        const [set, union] = [unionOf([], a), unionOf(unionOf([], a), b)]
        const difference = differenceOf(set, b)
        expect([set, union, difference].every(isNormal)).toBe(true)
        expect(membersOf(union)).toEqual(few.filter((n) => membersOf([...a, ...b]).includes(n)))
        expect(membersOf(difference)).toEqual(membersOf(a).filter((n) => !membersOf(b).includes(n)))
        expect(sizeOf(union)).toBe(sizeOf(differenceOf(union, a)) + sizeOf(set))
      }),
    )
  })

  test('D57: an identifier is found in its range, and in no other', () => {
    check(
      fc.property(someRanges, (ranges) => {
        const set = unionOf([], ranges)
        const found = few.filter((number) => {
          const range = rangeWith(set, number)
          return range !== undefined && range.first <= number && number <= range.last
        })
        expect(found).toEqual(membersOf(ranges))
      }),
    )
  })

  test('D57: every identifier without the 5 is 0..4 and 6 to the largest', () => {
    const left = differenceOf([everyTokenId], [{ first: 5n, last: 5n }])
    expect(left.map(tokenElementText)).toEqual(['0..4', `6..${largestTokenId}`])
    expect(differenceOf(left, [everyTokenId])).toEqual([])
  })
})

describe('D57 stored ranges', () => {
  test('D57: any ranges are read as they were written, and each takes at most 74 bytes', () => {
    check(
      fc.property(anyRanges, (set) => {
        const bytes = encodeTokenRanges(set)
        expect(decodeTokenRanges(bytes)).toEqual(set)
        expect(bytes.length).toBeLessThanOrEqual(1 + 74 * set.length)
      }),
    )
  })

  test('D57: are compact: a season takes a few bytes, and the widest range at most 75', () => {
    const season = [{ first: 1n, last: 5_000n }]
    expect(encodeTokenRanges(season)).toHaveLength(1 + 1 + 2)
    expect(encodeTokenRanges([{ first: 2n ** 255n, last: largestTokenId }])).toHaveLength(
      1 + 37 * 2,
    )
    expect(encodeTokenRanges([everyTokenId])).toHaveLength(1 + 1 + 37)
  })

  test('D57: other bytes are an error, and without bytes there are no ranges', () => {
    expect(decodeTokenRanges(undefined)).toEqual([])
    expect(() => decodeTokenRanges(Uint8Array.of(2, 0, 1))).toThrow('unknown form')
    expect(() => decodeTokenRanges(Uint8Array.of())).toThrow('unknown form')
    expect(() => decodeTokenRanges(Uint8Array.of(1, 5))).toThrow('middle of a number')
    expect(() => decodeTokenRanges(Uint8Array.of(1, 5, 0x80))).toThrow('middle of a number')
  })
})

describe('D57 elements of a list of tokens', () => {
  const textOf = (text: string) => {
    const element = parseTokenElement(text)
    return element === undefined ? undefined : tokenElementText(element)
  }

  test.each([
    ['7', '7'],
    ['0x10', '16'],
    ['1..5000', '1..5000'],
    ['0x1..0X1388', '1..5000'],
    ['001..5000', '1..5000'],
    ['5..5', '5'],
    ['*', '*'],
    [`0..${largestTokenId}`, '*'],
    [`6..${largestTokenId}`, `6..${largestTokenId}`],
  ])('D57: "%s" is %s', (text, expected) => {
    expect(textOf(text)).toBe(expected)
  })

  test.each([
    '5..1',
    '..5',
    '5..',
    '1...5',
    '1..2..3',
    '1..*',
    '**',
    '* ',
    '1.5',
    `0..${2n ** 256n}`,
  ])('D57: "%s" is no element', (text) => {
    expect(textOf(text)).toBeUndefined()
  })

  test('D57: the ends of a range are token identifiers in any form, in their order', () => {
    const end = fc.tuple(someNumber, fc.boolean(), fc.nat(20))
    const textOfEnd = ([number, isHex, zeros]: [bigint, boolean, number]) =>
      `${isHex ? '0x' : ''}${'0'.repeat(zeros)}${number.toString(isHex ? 16 : 10)}`
    check(
      fc.property(end, end, (a, b) => {
        const [first, last] = [a[0], b[0]]
        const expected = first === last ? `${first}` : first < last ? { first, last } : undefined
        expect(parseTokenElement(`${textOfEnd(a)}..${textOfEnd(b)}`)).toEqual(expected)
        expect(parseTokenElement(`${textOfEnd(a)}..${textOfEnd(a)}`)).toBe(`${first}`)
      }),
      1_000,
    )
  })

  test('D57: each end has up to 100 characters', () => {
    const [one, two] = ['1'.padStart(100, '0'), `0x${'2'.padStart(98, '0')}`]
    expect(textOf(`${one}..${two}`)).toBe('1..2')
    expect(`${one}..${two}`).toHaveLength(maxTokenElementLength)
    expect(textOf(`0${one}..${two}`)).toBeUndefined()
    expect(textOf(`${one}..${two.replace('x', 'x0')}`)).toBeUndefined()
  })
})

const largest = 2n ** 256n - 1n
const tokenId = someNumber.map((value) => `${value}` as TokenId)

describe('D15: token identifiers', () => {
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

  test.each(['', '-1', '1.0', ' 1', '1\n', '0x', '1_000', '٣', '１', '0x0x1'])(
    'D15: %j is not a token identifier',
    (text) => {
      expect(parseTokenId(text)).toBeUndefined()
    },
  )

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

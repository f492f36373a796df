import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  describeElements,
  inListOrder,
  rangesWithout,
} from '../../../dashboard/views/nfts/removed-ranges.ts'
import { parseTokenElement, tokenElementText } from '../../../lib/domain/allowlist/token-element.ts'
import {
  differenceOf,
  rangeOf,
  type TokenRange,
  unionOf,
} from '../../../lib/domain/allowlist/token-ranges.ts'

test('D57: unbinding identifiers inside a range splits it', () => {
  expect(rangesWithout(['1..10', '20..30'], ['5', '40'])).toEqual({
    changed: ['1..10'],
    ranges: ['1..4', '6..10', '20..30'],
  })
  expect(rangesWithout(['*'], ['0'])).toMatchObject({ ranges: [`1..${2n ** 256n - 1n}`] })
  expect(rangesWithout(['1..3'], ['*'])).toEqual({ changed: ['1..3'], ranges: [] })
})

test('D57: the ranges that are left are those of the service', () => {
  const toRange = (text: string): TokenRange => {
    const element = parseTokenElement(text)
    return typeof element === 'string' ? rangeOf(element) : (element as TokenRange)
  }
  const element = fc
    .tuple(fc.nat(40), fc.nat(6))
    .map(([first, length]) => (length === 0 ? `${first}` : `${first}..${first + length}`))
  fc.assert(
    fc.property(fc.array(element), fc.array(element), (added, removed) => {
      const before = unionOf([], added.map(toRange))
      const after = differenceOf(before, removed.map(toRange))
      expect(rangesWithout(before.map(tokenElementText), removed).ranges).toEqual(
        after.map(tokenElementText),
      )
    }),
  )
})

test('elements are described by their kinds, and sorted by their first identifiers', () => {
  expect(describeElements([])).toBe('0 NFTs')
  expect(describeElements(['1'])).toBe('1 NFT')
  expect(describeElements(['1..2', '3..4'])).toBe('the ranges 1..2, 3..4')
  expect(describeElements(['1..2', '3..4', '5..6', '7..8'])).toBe('4 ranges')
  expect(describeElements(['1..2', '*'])).toBe('the whole collection')
  expect(describeElements(Array(1234).fill('7').concat('1..2'))).toBe(
    '1,234 NFTs and the range 1..2',
  )
  expect(inListOrder(['100', '9..12', '10', '*'])).toEqual(['*', '9..12', '10', '100'])
})

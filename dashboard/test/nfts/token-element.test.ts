import { describe, expect, test } from 'vitest'
import { describeElements, rangesWithout } from '../../views/nfts/removed-ranges.ts'
import { mayBeRounded, readElement } from '../../views/nfts/token-element.ts'

describe('Token elements in the dashboard', () => {
  test.each([
    ['007', '7'],
    ['0x1..0010', '1..10'],
    [`0..${2n ** 256n - 1n}`, '*'],
  ])('D15, D57: %s is %s', (text, element) => {
    expect(readElement(text)).toEqual({ element })
  })

  test.each([
    ['1E+05', 'scientific notation'],
    ['1,2E+77', 'scientific notation'],
    ['1,000', 'separator of thousands'],
    ['12.345.678', 'separator of thousands'],
    ["1'000", 'separator of thousands'],
    ['12.0', 'decimal point'],
    ['-1', 'negative'],
    ['1-5000', 'write both ends with two dots'],
    ['1 – 5000', 'write both ends with two dots'],
    ['1..', 'write both ends, such as 1..5000'],
    ['5..1', 'first identifier is larger'],
    ['1..1E+05', '1E+05 is in scientific notation'],
    ["'123", 'apostrophe'],
    ['#####', 'error'],
    ['deadbeef', 'without 0x'],
    ['0x', 'no digits'],
    ['', 'empty'],
    ['Keeper', 'not a whole number'],
    ['１２', 'not a whole number'],
    [String(2n ** 256n), 'larger than 2^256 − 1'],
    ['0'.repeat(101), 'more than 100 characters'],
  ])('names what is wrong with %j', (text, fault) => {
    expect(readElement(text).fault).toContain(fault)
  })

  test('an identifier of more than 15 digits that ends in zeros may be rounded', () => {
    expect(mayBeRounded('123456789012345000000')).toBe(true)
    expect(mayBeRounded('123456789012345678901')).toBe(false)
    expect(mayBeRounded('100000')).toBe(false)
  })
})

test('D57: unbinding identifiers inside a range splits it', () => {
  expect(rangesWithout(['1..10', '20..30'], ['5', '40'])).toEqual({
    changed: ['1..10'],
    ranges: ['1..4', '6..10', '20..30'],
  })
  expect(rangesWithout(['*'], ['0'])).toMatchObject({ ranges: [`1..${2n ** 256n - 1n}`] })
  expect(rangesWithout(['1..3'], ['*'])).toEqual({ changed: ['1..3'], ranges: [] })
})

test('elements are described by their kinds', () => {
  expect(describeElements([])).toBe('0 NFTs')
  expect(describeElements(['1'])).toBe('1 NFT')
  expect(describeElements(['1..2', '3..4'])).toBe('the ranges 1..2, 3..4')
  expect(describeElements(['1..2', '3..4', '5..6', '7..8'])).toBe('4 ranges')
  expect(describeElements(['1..2', '*'])).toBe('the whole collection')
  expect(describeElements(Array(1234).fill('7').concat('1..2'))).toBe(
    '1,234 NFTs and the range 1..2',
  )
})

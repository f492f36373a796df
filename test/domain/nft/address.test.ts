import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checksumAddress, parseAddress, toAddress } from '../../../lib/domain/nft/address.ts'
import { check } from '../../support/vitest/seeded.ts'

/** The test cases of EIP-55. */
const eip55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

const lowerCase = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}`)
const mixedCase = lowerCase
  .map((text) => checksumAddress(toAddress(text)))
  .filter((text) => /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text))

describe('D14: addresses', () => {
  test.each(eip55)('D14: %s of EIP-55 is an address', (text) => {
    expect(parseAddress(text).fault).toBeUndefined()
    expect(checksumAddress(toAddress(text))).toBe(text)
  })

  test('D14: every accepted form is stored in lower case', () => {
    check(
      fc.property(lowerCase, (text) => {
        const upper = `0x${text.slice(2).toUpperCase()}`
        for (const form of [text, upper, checksumAddress(toAddress(text))]) {
          expect(toAddress(form)).toBe(text)
          expect(toAddress(toAddress(form))).toBe(text)
        }
      }),
    )
  })

  test('D14: a single letter in the wrong case breaks the checksum', () => {
    check(
      fc.property(mixedCase, fc.nat(), (text, at) => {
        const letters = [...text.matchAll(/[a-fA-F]/g)].map(({ index }) => index)
        const index = letters[at % letters.length] as number
        const letter = text[index] as string
        const flipped =
          letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        const wrong = text.slice(0, index) + flipped + text.slice(index + 1)
        // After a flip of the only letter of its case, the address is no longer in mixed case.
        const mixed = /[a-f]/.test(wrong.slice(2)) && /[A-F]/.test(wrong)
        expect(parseAddress(wrong).fault).toBe(mixed ? 'bad_checksum' : undefined)
      }),
      300,
    )
  })

  test.each([
    '',
    '0x',
    '0x0',
    `0x${'0'.repeat(39)}`,
    `0x${'0'.repeat(41)}`,
    '0'.repeat(40),
    `0X${'0'.repeat(40)}`,
    `0x${'g'.repeat(40)}`,
    ` 0x${'0'.repeat(40)}`,
    `0x${'0'.repeat(40)}\n`,
    `0x${'０'.repeat(40)}`,
  ])('D14: %j is not an address', (text) => {
    expect(parseAddress(text).fault).toBe('malformed')
    expect(() => toAddress(text)).toThrow(RangeError)
  })

  test('D14: an address without letters needs no checksum', () => {
    expect(parseAddress(`0x${'1'.repeat(40)}`).fault).toBeUndefined()
  })
})

import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { faults } from '../support/requests/schema-faults.ts'
import { check } from '../support/vitest/seeded.ts'

const allowedNftsRange = routes.getAllowedNfts.query
const allowlisting = routes.allowlistNfts.body
const contractToUnbind = routes.unbindContract.query
const nftsToUnbind = routes.unbindNfts.query
const playerNftsRange = routes.getRawMetadata.query
const productRegistration = routes.registerProduct.body

const registration = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
const registrationFaults = (fields: object) =>
  faults(productRegistration, { ...registration, ...fields })

const twoUnits = '𝌆'

describe('8: lengths', () => {
  test.each([
    ['name', 2, 100],
    ['companyName', 2, 100],
    ['description', 10, 2000],
    ['companyDescription', 10, 2000],
    ['website', 1, 2048],
  ])('D4: %s has %i to %i code points, whatever their UTF-16 length', (field, least, most) => {
    const message = `must be ${least} to ${most} characters long`
    for (const letter of ['a', 'é', twoUnits]) {
      expect(registrationFaults({ [field]: letter.repeat(least) })).toEqual({})
      expect(registrationFaults({ [field]: letter.repeat(most) })).toEqual({})
      expect(registrationFaults({ [field]: letter.repeat(least - 1) })).toEqual({
        [field]: message,
      })
      expect(registrationFaults({ [field]: letter.repeat(most + 1) })).toEqual({ [field]: message })
    }
  })

  test('D8: contactEmail has 3 to 300 code points', () => {
    expect(registrationFaults({ contactEmail: `${twoUnits.repeat(298)}@b` })).toEqual({})
    expect(registrationFaults({ contactEmail: `${twoUnits.repeat(299)}@b` })).toEqual({
      contactEmail: 'must be 3 to 300 characters long',
    })
    expect(registrationFaults({ contactEmail: '@a' })).toHaveProperty('contactEmail')
  })

  test('D4: every invalid field is named, a lone surrogate included', () => {
    const fields = Object.keys(productRegistration.entries).filter((name) => name !== 'websiteLink')
    const bad = Object.fromEntries(fields.map((name) => [name, `${'a'.repeat(10)}@\ud83d`]))
    expect(Object.keys(registrationFaults(bad)).sort()).toEqual(fields.sort())
    expect(new Set(Object.values(registrationFaults(bad)))).toEqual(
      new Set(['must be well-formed Unicode (it has a lone surrogate)']),
    )
  })

  test.each(['   ', '\t\n', '\u00a0\u2003', '\u3000\ufeff'])('D4: %j is not a name', (blank) => {
    expect(registrationFaults({ name: blank, companyName: blank })).toEqual({
      name: 'must not be blank',
      companyName: 'must not be blank',
    })
  })
})

describe('4.1 Register product', () => {
  test.each(['a@b', 'ä ö@ü', '"odd one"@[::1]', 'x'.repeat(298).concat('@b')])(
    'D8: %j is an e-mail address',
    (contactEmail) => expect(registrationFaults({ contactEmail })).toEqual({}),
  )

  test.each(['\n', '\r', '\t', '\0', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'D53: the control character %j is in no name and no e-mail address, but in descriptions',
    (control) => {
      const message = 'must not contain control characters, such as line breaks'
      const bad = { name: `Em${control}ber`, companyName: `Kiln${control}` }
      expect(registrationFaults({ ...bad, contactEmail: `a${control}@b` })).toEqual({
        name: message,
        companyName: message,
        contactEmail: message,
      })
      const description = `A product with${control}two lines.`
      expect(registrationFaults({ description, companyDescription: description })).toEqual({})
    },
  )

  test.each(['Ember\u00a0Isles', 'ٵ‏עולם', '👩‍🚀 Games', 'a\u2028b'])(
    'D53: %j is a name',
    (name) => {
      expect(registrationFaults({ name, companyName: name })).toEqual({})
    },
  )

  test.each(['a@@b', 'a@b@c', '@ab', 'ab@', 'abc', '@@@'])(
    'D8: %j is not an e-mail address',
    (contactEmail) => {
      const message = 'must have something on each side of a single @'
      expect(registrationFaults({ contactEmail })).toEqual({ contactEmail: message })
    },
  )

  test.each([
    'https://example.com',
    'HTTP://EXAMPLE.COM/ä?b#c',
    'http://[::1]:8080/',
    'www.example.com',
    'example.com:8080',
    'example.com:8080/path',
    'the corner shop',
    '/relative',
    '例え.jp',
    'a/b:c',
  ])('D7: %j is a website', (website) => {
    expect(registrationFaults({ website })).toEqual({})
    expect(registrationFaults({ websiteLink: website })).toEqual({})
  })

  test.each([
    'ftp://example.com',
    'mailto:a@b',
    'javascript:alert(1)',
    'javascript:1/alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'http:',
    'https://',
    'http://',
    'http:example.com',
    'http:/example.com',
    'https://a b',
    'http://:80',
    ' ',
    'ftp:',
  ])('D7: %j is not a website', (website) => {
    expect(registrationFaults({ website })).toHaveProperty('website')
  })

  test('D7: website and websiteLink are one field', () => {
    const [website, other] = ['a.example', 'b.example']
    expect(registrationFaults({ website, websiteLink: website })).toEqual({})
    expect(registrationFaults({ website, websiteLink: other })).toEqual({
      websiteLink: 'is another name of website and must have the same value',
    })
    // Also when other fields are wrong (D2: all at once).
    expect(Object.keys(registrationFaults({ website, websiteLink: other, name: '' }))).toEqual([
      'name',
      'websiteLink',
    ])
  })

  test.each([null, 7, true, {}, ['Ember']])('D4: %j is not a string', (value) => {
    expect(registrationFaults({ name: value })).toEqual({ name: 'must be a string' })
  })
})

const contractAddress = `0x${'a'.repeat(40)}`
const contractDescription = 'lanterns and kites'

describe('4.3 Allowlist contract and NFTs', () => {
  const schema = allowlisting
  const withTokens = (tokens: unknown) => ({ contractAddress, contractDescription, tokens })
  const notANumber = 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text'

  test('D15, D17: duplicates collapse in the order of their first appearance', () => {
    const tokens = ['0x0A', '7', '10', '007', '0', '0x0']
    expect(v.parse(schema, withTokens(tokens)).tokens).toEqual(['10', '7', '0'])
  })

  test('D16: 10,000 token identifiers are accepted, duplicates counted; 10,001 are not', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${index % 9_000}`)
    expect(v.parse(schema, withTokens(many(10_000))).tokens).toHaveLength(9_000)
    expect(faults(schema, withTokens(many(10_001)))).toEqual({
      tokens: 'must have at most 10000 token identifiers in one request',
    })
    expect(faults(schema, withTokens([]))).toEqual({
      tokens: 'must have at least 1 token identifier',
    })
  })

  test('D15: each invalid token identifier is named by its index', () => {
    const tokens = ['1', '-1', `${2n ** 256n}`, '2', '1e3', '1.0', '', null, 5, '\ud800']
    const bad = [1, 2, 4, 5, 6, 7, 8, 9]
    const said = faults(schema, withTokens(tokens))
    expect(Object.keys(said)).toEqual(bad.map((index) => `tokens.${index}`))
    expect(said['tokens.1']).toBe(notANumber)
    expect(said['tokens.7']).toBe('must be a string, such as "2"')
    expect(said['tokens.8']).toBe('must be a string, such as "2"')
  })

  test.each([undefined, null, '1', 1, { 0: '1', length: 1 }])('D16: %j is not a list', (tokens) => {
    expect(Object.keys(faults(schema, withTokens(tokens)))).toEqual(['tokens'])
  })

  test('D14: the length 2..100 is checked first, then the form, then the checksum', () => {
    const said = (address: string) =>
      faults(contractToUnbind, { contractAddress: address, chain: 'BSC' })
    const length = { contractAddress: 'must be 2 to 100 characters long' }
    expect(said('0')).toEqual(length)
    expect(said('0'.repeat(101))).toEqual(length)
    expect(said('0x')).toEqual({ contractAddress: 'must be 0x and 40 hexadecimal digits' })
    expect(said('0'.repeat(100))).toEqual({
      contractAddress: 'must be 0x and 40 hexadecimal digits',
    })
    expect(said(`0x${'a'.repeat(39)}A`)['contractAddress']).toMatch(/^has a wrong EIP-55 checksum/)
    const upper = { contractAddress: `0x${'A'.repeat(40)}`, chain: 'BSC' }
    expect(v.parse(contractToUnbind, upper).contractAddress).toBe(contractAddress)
  })

  test('D11: POLYGON and BSC unless a deployment opens others; the accepted ones are named', () => {
    const on = (chain: string) => ({ ...withTokens(['1']), chain })
    expect(faults(schema, on('BSC'))).toEqual({})
    for (const chain of ['polygon', 'MUMBAI', 'AMOY', 'constructor', '']) {
      expect(faults(schema, on(chain))).toEqual({ chain: 'must be one of POLYGON, BSC' })
    }
    expect(faults(allowlisting.withOpenChains(['AMOY']), on('AMOY'))).toEqual({})
    expect(faults(allowlisting.withOpenChains(['AMOY']), on('BSC'))).toEqual({
      chain: 'must be one of AMOY',
    })
  })
})

describe('query parameters', () => {
  test('D20: 1 to 1,000 token identifiers are unbound in one call', () => {
    const many = (count: number) => ({
      contractAddress,
      chain: 'MUMBAI',
      tokens: Array.from({ length: count }, (_, index) => `${index}`),
    })
    expect(v.parse(nftsToUnbind, many(1_000)).tokens).toHaveLength(1_000)
    expect(Object.keys(faults(nftsToUnbind, many(1_001)))).toEqual(['tokens'])
  })

  test('D13: duplicate chains collapse; a cursor does not depend on their order', () => {
    const read = (chains: string[]) => v.parse(playerNftsRange, { chains }).chains
    expect(read(['POLYGON', 'BSC', 'POLYGON'])).toEqual(['BSC', 'POLYGON'])
    expect(faults(playerNftsRange, { chains: ['BSC', 'bsc'] })).toEqual({
      'chains.1': 'must be one of POLYGON, BSC',
    })
  })

  test.each([
    ['D18', allowedNftsRange, 10_000],
    ['D25', playerNftsRange, 1_000],
  ])('%s: limit is a whole number', (_, schema, most) => {
    check(
      fc.property(fc.oneof(fc.integer({ min: -10, max: 20_000 }), fc.double()), (limit) => {
        const accepted = Number.isInteger(limit) && limit >= 1 && limit <= most
        expect(v.safeParse(schema, { limit: `${limit}` }).success).toBe(accepted)
      }),
    )
    for (const limit of ['', ' 1', '1 ', '+1', '1.0', '1e2', '0x1', '１', '9'.repeat(400)]) {
      const message = `must be a whole number from 1 to ${most}`
      expect(faults(schema, { limit })).toEqual({ limit: message })
    }
  })
})

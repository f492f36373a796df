import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { type CoveredChain, chainNames } from '../../lib/domain/nft/chain.ts'
import { anyChainMessage } from '../support/requests/problem.ts'
import { faults } from '../support/requests/schema-faults.ts'
import { check } from '../support/vitest/seeded.ts'

const allowlisting = routes.allowlistNfts.body
const contractToUnbind = routes.unbindContract.query
const nftsToUnbind = routes.unbindNfts.query
const playerNftsRange = routes.getRawMetadata.query

const contractAddress = `0x${'a'.repeat(40)}`
const contractDescription = 'lanterns and kites'
const allowlistingWith = (fields: object) => ({
  contractAddress,
  contractDescription,
  tokens: ['1'],
  ...fields,
})

describe('4.3 Allowlist contract and NFTs', () => {
  const schema = allowlisting
  const withTokens = (tokens: unknown) => allowlistingWith({ tokens })
  const notANumber = 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text'

  test('D4: contractDescription has 10 to 2,000 code points', () => {
    for (const letter of ['a', 'é', '𝌆']) {
      const said = (length: number) =>
        faults(allowlisting, allowlistingWith({ contractDescription: letter.repeat(length) }))
      for (const length of [10, 2_000]) expect(said(length)).toEqual({})
      for (const length of [9, 2_001]) {
        expect(said(length)).toEqual({ contractDescription: 'must be 10 to 2000 characters long' })
      }
    }
  })

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

  test('D57: what is no range is named by its index', () => {
    expect(faults(schema, withTokens(['1', '5..1']))).toEqual({
      'tokens.1': 'must be a range a..b of two token identifiers, and a must not be larger than b',
    })
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
    const on = (chain: unknown) => ({ ...withTokens(['1']), chain })
    expect(faults(schema, on('BSC'))).toEqual({})
    for (const chain of [
      'polygon',
      'MUMBAI',
      'AMOY',
      'ETHEREUM',
      'constructor',
      '',
      137,
      ['BSC'],
    ]) {
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

  test.each(['getRawMetadata', 'getStructuredMetadata'] as const)(
    'D51: chainDtos is another name of chains: %s',
    (id) => {
      const said = (chains: string[], chainDtos: string[]) =>
        faults(routes[id].query, { chains, chainDtos })
      expect(said(['BSC', 'POLYGON'], ['POLYGON', 'BSC'])).toEqual({})
      const message = 'is another name of chains and must have the same value'
      expect(said(['BSC'], ['POLYGON'])).toEqual({ chainDtos: message })
    },
  )

  test.each([
    ['getAllowedNfts', 'limit', 10_000],
    ['getNfts', 'limit', 100],
    ['getContracts', 'limit', 100],
    ['getEvents', 'limit', 1_000],
    ['getUsage', 'days', 90],
    ['getRawMetadata', 'limit', 1_000],
    ['getStructuredMetadata', 'limit', 1_000],
  ] as const)('D18, D25: %s takes a whole number as %s', (id, name, most) => {
    const schema: v.GenericSchema = routes[id].query
    check(
      fc.property(fc.oneof(fc.integer({ min: -10, max: 20_000 }), fc.double()), (number) => {
        const accepted = Number.isInteger(number) && number >= 1 && number <= most
        expect(v.safeParse(schema, { [name]: `${number}` }).success).toBe(accepted)
      }),
    )
    for (const text of ['', ' 1', '1 ', '+1', '1.0', '1e2', '0x1', '１', '9'.repeat(400)]) {
      const message = `must be a whole number from 1 to ${most}`
      expect(faults(schema, { [name]: text })).toEqual({ [name]: message })
    }
  })
})

describe('4.3, 4.8, 4.9: the messages for unknown chains', () => {
  test.each<[string, CoveredChain]>([
    ['MATIC', 'POLYGON'],
    ['pol', 'POLYGON'],
    ['BNB', 'BSC'],
    ['bnb smart chain', 'BSC'],
    ['137', 'POLYGON'],
    ['polygon-mainnet', 'POLYGON'],
    ['ETH', 'ETHEREUM'],
    ['eth-sepolia', 'SEPOLIA'],
    ['202601', 'SAIGON'],
  ])('D56: the message for %s names the chain, if it can be sent', (name, meant) => {
    const on = { contractAddress, tokens: ['1'], chain: name }
    const hint = `; ${name} is called ${meant} here`
    const opening = allowlisting.withOpenChains(['AMOY', meant])
    expect(faults(opening, on)).toEqual({ chain: `must be one of AMOY, ${meant}${hint}` })
    const closed = allowlisting.withOpenChains(['AMOY'])
    expect(faults(closed, on)).toEqual({ chain: 'must be one of AMOY' })
    const toUnbind = { contractAddress, chain: name }
    expect(faults(contractToUnbind, toUnbind)).toEqual({ chain: `${anyChainMessage}${hint}` })
  })

  test('D13, D56: the message for an unknown chain names the open chains', () => {
    const schema = playerNftsRange.withOpenChains(['ETHEREUM', 'AMOY'])
    for (const chain of ['SOLANA', 'ethereum', '', 'constructor']) {
      const expected = { 'chains.0': 'must be one of ETHEREUM, AMOY' }
      expect(faults(schema, { chains: [chain] })).toEqual(expected)
    }
    expect(faults(schema, { chainDtos: ['BSC', 'ETH'] })).toEqual({
      'chainDtos.1': 'must be one of ETHEREUM, AMOY; ETH is called ETHEREUM here',
    })
    for (const chain of chainNames) expect(faults(schema, { chains: [chain] })).toEqual({})
  })
})

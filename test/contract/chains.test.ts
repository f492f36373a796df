import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { type CoveredChain, chainNames } from '../../lib/domain/nft/chain.ts'
import { anyChainMessage } from '../support/requests/problem.ts'
import { faults } from '../support/requests/schema-faults.ts'

const allowlisting = routes.allowlistNfts.body
const contractToUnbind = routes.unbindContract.query
const playerNftsRange = routes.getRawMetadata.query

const contractAddress = `0x${'a'.repeat(40)}`

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

import { describe, expect, test } from 'vitest'
import {
  allowedNfts,
  allowedTokenIds,
  allowlist,
  allowlistingBody,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

/** An address with a known EIP-55 form, from the examples in EIP-55. */
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const send = async (apiKey: string, changes: object) =>
  await call('POST /product/tokens', {
    apiKey,
    body: allowlistingBody({ contractAddress: newAddress(), ...changes }),
  })

describe('4.3 Allowlist contract and NFTs', () => {
  test('returns one entry for each token identifier, with the contract and the chain', async () => {
    const contractAddress = newAddress()
    const allowlisting = { contractAddress, chain: 'BSC', tokens: ['7', '3'] }
    expect(await allowlist(call, await newProduct(), allowlisting)).toEqual([
      { tokenId: '7', address: contractAddress, chain: 'BSC' },
      { tokenId: '3', address: contractAddress, chain: 'BSC' },
    ])
  })

  test('D17: a second call adds the new NFTs and returns the requested NFTs', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    await allowlist(call, apiKey, { contractAddress, tokens: ['1', '2'] })
    const again = { contractAddress, tokens: ['3', '2'], contractDescription: 'A new description.' }
    const entries = await allowlist(call, apiKey, again)
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(['3', '2'])
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '2', '3'])
  })
})

describe('4.3 The chain', () => {
  test('D12: an omitted chain means POLYGON', async () => {
    const { json } = await send(await newProduct(), {})
    expect(json.data[0].chain).toBe('POLYGON')
  })
})

test('D34: a similar name is rejected, and nothing is allowlisted', async () => {
  const apiKey = await newProduct()
  const answer = await send(apiKey, { chains: 'BSC' })
  const message = 'is not a field of this operation; use chain'
  expect(expectProblem(answer, 'invalid_request')).toEqual([
    { in: 'body', path: 'chains', message },
  ])
  expect(await allowedNfts(call, apiKey)).toEqual([])
})

test('D14: the contract address is returned in lower case, whatever its case in the request', async () => {
  const lower = checksummed.toLowerCase()
  const upper = `0x${lower.slice(2).toUpperCase()}`
  const apiKey = await newProduct()
  for (const contractAddress of [lower, upper, checksummed]) {
    const [entry] = await allowlist(call, apiKey, { contractAddress, tokens: ['1'] })
    expect(entry?.address).toBe(lower)
  }
  expect(await allowedNfts(call, apiKey)).toHaveLength(1)
})

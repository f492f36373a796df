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

const largest = (2n ** 256n - 1n).toString()

const send = async (apiKey: string, changes: object) =>
  await call('POST /product/tokens', {
    apiKey,
    body: allowlistingBody({ contractAddress: newAddress(), ...changes }),
  })

/** Sends a request with these changes and returns the invalid fields of the response. */
const faultsOf = async (changes: object) =>
  expectProblem(await send(await newProduct(), changes), 'invalid_request')

/** Sends a request with these changes and returns the token identifiers of the response. */
async function answeredFor(tokens: readonly unknown[]): Promise<string[]> {
  const { json } = await send(await newProduct(), { tokens })
  return json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
}

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

  test('two products allowlist the same contract independently', async () => {
    const [mine, theirs] = [await newProduct(), await newProduct()]
    const contractAddress = newAddress()
    await allowlist(call, mine, { contractAddress, tokens: ['1'] })
    await allowlist(call, theirs, { contractAddress, tokens: ['2'] })
    expect(await allowedTokenIds(call, mine)).toEqual(['1'])
    expect(await allowedTokenIds(call, theirs)).toEqual(['2'])
  })
})

describe('4.3 The chain', () => {
  test.each([[{}], [{ chain: null }]])(
    'D12: an omitted chain means POLYGON (%j)',
    async (changes) => {
      const { json } = await send(await newProduct(), changes)
      expect(json.data[0].chain).toBe('POLYGON')
    },
  )

  test('D11: the message names the open chains', async () => {
    expect(await faultsOf({ chain: 'AMOY' })).toEqual([
      { in: 'body', path: 'chain', message: 'must be one of POLYGON, BSC' },
    ])
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

describe('4.3 The token identifiers', () => {
  test('D15: decimal and hexadecimal identifiers are returned as canonical decimal text', async () => {
    const hexOfLargest = `0x${'f'.repeat(64)}`
    const forms = ['0', '007', '0x10', '0X00fF', hexOfLargest, '9007199254740993']
    const canonical = ['0', '7', '16', '255', largest, '9007199254740993']
    expect(await answeredFor(forms)).toEqual(canonical)
  })

  test('D16: 10,000 identifiers in one call are returned and listed, each exactly once', async () => {
    const apiKey = await newProduct()
    // The longest identifiers, so that the response is also the largest in bytes.
    const tokens = Array.from({ length: 10_000 }, (_, index) =>
      String(BigInt(largest) - BigInt(index)),
    )
    const entries = await allowlist(call, apiKey, { contractAddress: newAddress(), tokens })
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(tokens)
    expect(await allowedTokenIds(call, apiKey)).toEqual(tokens.toReversed())
  })
})

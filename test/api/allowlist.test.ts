import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import {
  type AllowedNft,
  allowedNfts,
  allowedPages,
  allowedTokenIds,
  allowlist,
  allowlistingBody,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

// What calls do to a list, one after the other and at the same time, is in test/domain/allowlist/allowlist-model.test.ts.

const { call, newProduct } = sharedService()

/** A product with one contract on POLYGON and these elements on its allowlist, and the operations that change it. */
async function contractWith(...allowed: string[]) {
  const [apiKey, contract] = [
    await newProduct(),
    { contractAddress: newAddress(), chain: 'POLYGON' },
  ]
  await allowlist(call, apiKey, { ...contract, tokens: allowed })
  return {
    ...{ apiKey, contract },
    add: (tokens: readonly string[]) =>
      call('POST /product/tokens', { apiKey, body: allowlistingBody({ ...contract, tokens }) }),
    disconnect: (changes: object = {}) =>
      call('DELETE /product/contract', { apiKey, query: { ...contract, ...changes } }),
    unbind: (tokens: readonly string[]) =>
      call('DELETE /product/tokens', { apiKey, query: { ...contract, tokens } }),
    unbindList: (tokens: readonly string[]) =>
      call('POST /product/tokens/unbind', { apiKey, body: { ...contract, tokens } }),
    listed: () => allowedTokenIds(call, apiKey),
  }
}

describe('4.3 Allowlist contract and NFTs', () => {
  test('D14, D57: returns one entry for each element, in its stored form, with the contract and the chain', async () => {
    // From the examples in EIP-55.
    const contractAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const tokens = ['7', '0x1..0x1388', '*', '9..9', '1..5000', '3']
    const allowlisting = { contractAddress, chain: 'BSC', tokens }
    const address = contractAddress.toLowerCase()
    expect(await allowlist(call, await newProduct(), allowlisting)).toEqual(
      ['7', '1..5000', '*', '9', '3'].map((tokenId) => ({ tokenId, address, chain: 'BSC' })),
    )
  })

  test('D12: an omitted chain means POLYGON', async () => {
    const body = allowlistingBody({ contractAddress: newAddress() })
    const { json } = await call('POST /product/tokens', { apiKey: await newProduct(), body })
    expect(json.data).toMatchObject([{ chain: 'POLYGON' }])
  })

  test('D37: a contract that is not connected requires a description, on each chain', async () => {
    const { apiKey, contract } = await contractWith('1')
    const body = { ...contract, chain: 'BSC', tokens: ['1'] }
    const answer = await call('POST /product/tokens', { apiKey, body })
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      { in: 'body', path: 'contractDescription', message: 'is required' },
    ])
  })

  test('D57: a contract has 100 ranges; one more, also by splitting, changes nothing', async () => {
    const hundred = numbers(0, 99).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 3}`)
    const { add, unbind, unbindList, listed } = await contractWith(...hundred)
    for (const answer of [
      await add(['5000', '2000..2001']),
      await unbind(['2']),
      await unbindList(['1', '1000']),
    ]) {
      expectProblem(answer, 'too_many_ranges')
    }
    expect(await listed()).toEqual(hundred)
  })
})

describe('4.4 Get allowed NFTs', () => {
  const largest = (2n ** 256n - 1n).toString()
  const [low, high] = [`0x0${'a'.repeat(39)}`, `0xf${'a'.repeat(39)}`]

  /** An allowlist in the order of D18. */
  const mixed: AllowedNft[] = [
    ...['0', '9', '10', '99', '100'].map((tokenId) => ({ tokenId, address: low, chain: 'BSC' })),
    ...['5'].map((tokenId) => ({ tokenId, address: high, chain: 'BSC' })),
    ...['3', '20', largest].map((tokenId) => ({ tokenId, address: low, chain: 'POLYGON' })),
    ...['1', '2', '3'].map((tokenId) => ({ tokenId, address: high, chain: 'POLYGON' })),
  ]

  test('D18: the order is chain, address, then the token identifier as a number, also in pages', async () => {
    const apiKey = await newProduct()
    const scrambled = mixed.toSorted((a, b) => (a.tokenId + a.chain < b.tokenId + b.chain ? 1 : -1))
    for (const { tokenId, address, chain } of scrambled) {
      await allowlist(call, apiKey, { contractAddress: address, chain, tokens: [tokenId] })
    }
    expect(await allowedNfts(call, apiKey)).toEqual(mixed)
    // The page that completes the list has no cursor.
    expect(await allowedPages(call, apiKey, 6)).toEqual([mixed.slice(0, 6), mixed.slice(6)])
  })

  test('D18: a cursor of another product gives no access to that product', async () => {
    const { apiKey: theirs } = await contractWith('1', '2')
    const page = (apiKey: string, query: Record<string, string>) =>
      call('GET /product/tokens', { apiKey, query })
    const { nextCursor: cursor } = (await page(theirs, { limit: '1' })).json
    const mine = await newProduct()
    expect((await page(mine, { cursor })).json).toEqual({ data: [], success: true })
    await allowlist(call, mine, { contractAddress: `0x${'f'.repeat(40)}`, tokens: ['77'] })
    const own = [{ tokenId: '77', address: `0x${'f'.repeat(40)}`, chain: 'POLYGON' }]
    expect((await page(mine, { cursor })).json).toEqual({ data: own, success: true })
  })
})

describe('4.5 Unbind smart contract', () => {
  test('D19: removes every NFT of the contract, however many, by the next request', async () => {
    const { apiKey, contract, disconnect, unbind, listed } = await contractWith(...numbers(1, 300))
    expect((await disconnect()).status).toBe(200)
    expect(await listed()).toEqual([])
    const body = { smartContract: contract.contractAddress }
    for (const answer of [
      await disconnect(),
      await unbind(['1']),
      await call('POST /tokens/refresh', { apiKey, body }),
    ]) {
      expectProblem(answer, 'contract_not_connected')
    }
  })

  test('D19: a contract that is not connected is 404, naming the contract', async () => {
    const { contract, disconnect, listed } = await contractWith('1')
    const onBsc = await disconnect({ chain: 'BSC' })
    expectProblem(onBsc, 'contract_not_connected')
    expect(onBsc.json.detail).toBe(
      `Contract ${contract.contractAddress} on BSC is not connected to this product.`,
    )
    expect(await listed()).toEqual(['1'])
  })
})

describe('4.6 Unbind allowed NFTs, D50: Unbind a list of NFTs', () => {
  test.each(['unbind', 'unbindList'] as const)(
    'D20, D36, D57: %s removes the listed NFTs and returns the number that were allowlisted',
    async (operation) => {
      const { contract, listed, ...operations } = await contractWith('1', '2', '3', '4')
      const { [operation]: unbind } = operations
      for (const [tokens, unbound, removed] of [
        [['2', '0x3', '77'], '2 NFTs were', 2],
        [['1'], '1 NFT was', 1],
        [['1'], '0 NFTs were', 0],
        [['10..20', '0..3'], '0 NFTs and the ranges 0..3, 10..20 were', 0],
      ] as const) {
        const message = `${unbound} unbound from contract ${contract.contractAddress} on POLYGON.`
        const { status, json } = await unbind(tokens)
        expect([status, json]).toEqual([200, { data: { message, removed }, success: true }])
      }
      expect(await listed()).toEqual(['4'])
    },
  )

  test('D20: the URL may have 10,240 bytes; API Gateway rejects a longer URL', async () => {
    const { unbind, listed } = await contractWith('1')
    const padded = (tokenId: string) => tokenId.padStart(100, '0')
    expect((await unbind(numbers(1, 90).map(padded))).json.data.removed).toBe(1)
    expect((await unbind(numbers(1, 110).map(padded))).status).toBe(431)
    expect(await listed()).toEqual([])
  })

  test('D50: a call can have 10,000 identifiers; 10,001 are rejected', async () => {
    const { unbindList, listed } = await contractWith(
      ...numbers(0, 50).map((n) => `${200 * Number(n)}`),
    )
    const all = numbers(0, 10_000)
    expect(expectProblem(await unbindList(all), 'invalid_request')).toEqual([
      {
        in: 'body',
        path: 'tokens',
        message: 'must have at most 10000 token identifiers in one request',
      },
    ])
    // A busy machine may not remove all in the time of a request, which can then be repeated.
    await expect.poll(async () => (await unbindList(all.slice(1))).status).toBe(200)
    expect(await listed()).toEqual(['0'])
  })
})

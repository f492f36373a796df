import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import {
  allowedNfts,
  allowedTokenIds,
  allowlist,
  productWithContract,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service

type Query = Record<string, string | readonly string[]>

/** A product with one contract on POLYGON and these NFTs, and a function that unbinds some of them. */
async function productWith(allowed: readonly string[]) {
  const { apiKey, contract } = await productWithContract(service, allowed)
  const unbindThese = async (tokens: string | readonly string[], others: Query = {}) =>
    await call('DELETE /product/tokens', { apiKey, query: { ...contract, tokens, ...others } })
  return { apiKey, contractAddress: contract.contractAddress, unbindThese }
}

/** The number of removed NFTs in a response. */
const removedBy = ({ json }: { json: { data?: { message: string } } }) =>
  Number.parseInt(json.data?.message ?? '', 10)

describe('4.6 Unbind allowed NFTs', () => {
  test('D20, D36: removes the listed NFTs and returns the number that were allowlisted', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1', '2', '3', '4'])
    const { status, json } = await unbindThese(['2', '3', '77'])
    expect(status).toBe(200)
    expect(json.data).toEqual({
      message: `2 NFTs were unbound from contract ${contractAddress} on POLYGON.`,
      removed: 2,
    })
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '4'])
  })

  test('D20: ignores NFTs that were not allowlisted', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1', '2'])
    const messages: string[] = []
    const counts: number[] = []
    for (const tokens of [['3', '4'], ['2', '5'], ['2']]) {
      const { message, removed } = (await unbindThese(tokens)).json.data
      messages.push(message)
      counts.push(removed)
    }
    const from = `unbound from contract ${contractAddress} on POLYGON.`
    expect(messages).toEqual([`0 NFTs were ${from}`, `1 NFT was ${from}`, `0 NFTs were ${from}`])
    expect(counts).toEqual([0, 1, 0])
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1'])
  })

  test('D20: leaves the contract connected, even without any NFT', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1'])
    await unbindThese('1')
    expect(await allowedNfts(call, apiKey)).toEqual([])
    expect((await unbindThese('1')).status).toBe(200)
    const query = { contractAddress, chain: 'POLYGON' }
    expect((await call('DELETE /product/contract', { apiKey, query })).status).toBe(200)
  })

  test('keeps the same identifiers of other contracts, chains and products', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1'])
    const theirs = await newProduct()
    const onBsc = await allowlist(call, apiKey, { contractAddress, chain: 'BSC', tokens: ['1'] })
    const other = await allowlist(call, apiKey, { contractAddress: newAddress(), tokens: ['1'] })
    await allowlist(call, theirs, { contractAddress, tokens: ['1'] })
    await unbindThese('1')
    expect(await allowedNfts(call, apiKey)).toEqual([...onBsc, ...other])
    expect(await allowedTokenIds(call, theirs)).toEqual(['1'])
  })

  test('D20: a contract that is not connected is 404, naming the contract', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1'])
    const answer = await unbindThese('1', { chain: 'BSC' })
    expectProblem(answer, 'contract_not_connected')
    expect(answer.json.detail).toBe(
      `Contract ${contractAddress} on BSC is not connected to this product.`,
    )
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1'])
  })
})

describe('4.6 The parameters', () => {
  test.each([
    ['repeated', ['1', '2', '3']],
    ['comma separated', '1,2,3'],
    ['both', ['1,2', '3']],
  ])('D20: tokens may be %s', async (_, tokens) => {
    const { apiKey, unbindThese } = await productWith(['1', '2', '3', '4'])
    expect(removedBy(await unbindThese(tokens))).toBe(3)
    expect(await allowedTokenIds(call, apiKey)).toEqual(['4'])
  })

  test('D20: 1,000 identifiers in one call are removed; 1,001 are rejected', async () => {
    const { apiKey, unbindThese } = await productWith(numbers(0, 1_000))
    const tooMany = await unbindThese(numbers(0, 1_000).join(','))
    expect(expectProblem(tooMany, 'invalid_request')).toEqual([
      {
        in: 'query',
        path: 'tokens',
        message: 'must have at most 1000 token identifiers in one request',
      },
    ])
    expect(removedBy(await unbindThese(numbers(0, 999).join(',')))).toBe(1_000)
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1000'])
  })

  test('D20: the URL may have 10,240 bytes; API Gateway rejects a longer URL', async () => {
    const { apiKey, unbindThese } = await productWith(['1'])
    const padded = (tokenId: string) => tokenId.padStart(100, '0')
    const fits = numbers(1, 90).map(padded)
    expect(removedBy(await unbindThese(fits))).toBe(1)
    const answer = await unbindThese(numbers(1, 110).map(padded))
    expect(answer.status).toBe(431)
    expect(await allowedNfts(call, apiKey)).toEqual([])
  })
})

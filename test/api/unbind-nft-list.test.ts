import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import {
  allowedNfts,
  allowedTokenIds,
  allowlist,
  productWithContract,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service

/** A product with one contract on POLYGON and these NFTs, and a function that unbinds some of them. */
async function productWith(allowed: readonly string[]) {
  const product = await productWithContract(service, allowed)
  const { apiKey, contract } = product
  const unbindThese = async (tokens: readonly string[], others: object = {}) =>
    await call('POST /product/tokens/unbind', { apiKey, body: { ...contract, tokens, ...others } })
  return { ...product, unbindThese }
}

describe('D50 Unbind a list of NFTs', () => {
  test('D50: does what 4.6 does, with the same response', async () => {
    const { apiKey, contract, unbindThese } = await productWith(['1', '2', '3', '4'])
    const { status, json } = await unbindThese(['2', '0x3', '77', '2'])
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        message: `2 NFTs were unbound from contract ${contract.contractAddress} on POLYGON.`,
        removed: 2,
      },
      success: true,
    })
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '4'])
    const query = { ...contract, tokens: ['1'] }
    const specified = await call('DELETE /product/tokens', { apiKey, query })
    const listed = await unbindThese(['4'])
    expect(listed.json).toEqual(specified.json)
    expect(await allowedNfts(call, apiKey)).toEqual([])
  })

  test('D50: leaves the contract connected, and other contracts, chains and products as they are', async () => {
    const { apiKey, contract, unbindThese } = await productWith(['1'])
    const { contractAddress } = contract
    const theirs = await newProduct()
    const onBsc = await allowlist(call, apiKey, { contractAddress, chain: 'BSC', tokens: ['1'] })
    await allowlist(call, theirs, { contractAddress, tokens: ['1'] })
    expect((await unbindThese(['1'])).json.data.removed).toBe(1)
    expect((await unbindThese(['1'])).json.data.removed).toBe(0)
    expect(await allowedNfts(call, apiKey)).toEqual(onBsc)
    expect(await allowedTokenIds(call, theirs)).toEqual(['1'])
  })

  test('D50: a call can have 10,000 identifiers; 10,001 are rejected', async () => {
    const { apiKey, unbindThese } = await productWith(
      numbers(0, 50).map((n) => `${200 * Number(n)}`),
    )
    const all = numbers(0, 10_000)
    expect(expectProblem(await unbindThese(all), 'invalid_request')).toEqual([
      {
        in: 'body',
        path: 'tokens',
        message: 'must have at most 10000 token identifiers in one request',
      },
    ])
    // A busy machine may not remove all in the time of a request, which can then be repeated.
    await expect.poll(async () => (await unbindThese(all.slice(1))).status).toBe(200)
    expect(await allowedTokenIds(call, apiKey)).toEqual(['0'])
  })
})

import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import {
  allowedNfts,
  allowedTokenIds,
  productWithContract,
} from '../support/requests/allowlists.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service

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

  test('D20: leaves the contract connected, even without any NFT', async () => {
    const { apiKey, contractAddress, unbindThese } = await productWith(['1'])
    const messages = [await unbindThese('1'), await unbindThese('1')].map(
      ({ json }) => json.data.message,
    )
    const from = `unbound from contract ${contractAddress} on POLYGON.`
    expect(messages).toEqual([`1 NFT was ${from}`, `0 NFTs were ${from}`])
    expect(await allowedNfts(call, apiKey)).toEqual([])
    const query = { contractAddress, chain: 'POLYGON' }
    expect((await call('DELETE /product/contract', { apiKey, query })).status).toBe(200)
  })
})

describe('4.6 The parameters', () => {
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

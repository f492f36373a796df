import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { largestTokenId } from '../../lib/domain/allowlist/token-id.ts'
import {
  allowedTokenIds,
  allowlistingBody,
  productWithContract,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service

/** A product with one contract on POLYGON, and functions that change and read its allowlist. */
async function newContract(allowed: readonly string[]) {
  const { apiKey, contract } = await productWithContract(service, allowed)
  const add = async (...tokens: string[]) =>
    await call('POST /product/tokens', { apiKey, body: allowlistingBody({ ...contract, tokens }) })
  const unbind = async (...tokens: string[]) =>
    await call('POST /product/tokens/unbind', { apiKey, body: { ...contract, tokens } })
  const listed = async () => await allowedTokenIds(call, apiKey)
  return { apiKey, contract, add, unbind, listed }
}

const beyond = (first: number) => `${first}..${largestTokenId}`

describe('4.3, 4.4 Allowlist ranges', () => {
  test('D57: the response has one entry for each element, in its stored form', async () => {
    const { add } = await newContract(['1'])
    const { status, json } = await add('0x1..0x1388', '7', '*', '9..9', '1..5000', '7..7')
    expect(status).toBe(200)
    const tokenIds = json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
    expect(tokenIds).toEqual(['1..5000', '7', '*', '9'])
  })

  test('D58: the contracts have their ranges, and the number of their identifiers', async () => {
    const { apiKey, add } = await newContract(['5', '20'])
    const entry = async () => (await call('GET /product/contracts', { apiKey })).json.data[0]
    expect(await entry()).not.toHaveProperty('ranges')
    await add('1..9')
    expect(await entry()).toMatchObject({ ranges: ['1..9'], nftCount: 10 })
    await add('100..2000')
    expect(await entry()).toMatchObject({ ranges: ['1..9', '100..2000'] })
    expect(await entry()).not.toHaveProperty('nftCount')
  })
})

describe('4.6, D50 Unbind ranges', () => {
  test('D57: every identifier without the 5 is 0..4 and the rest', async () => {
    const { contract, apiKey, unbind, listed } = await newContract(['*'])
    const { json } = await unbind('5')
    expect(json.data).toEqual({
      message: `1 NFT was unbound from contract ${contract.contractAddress} on POLYGON.`,
      removed: 1,
    })
    expect(await listed()).toEqual(['0..4', beyond(6)])
    const query = { ...contract, tokens: ['0..4,10..20'] }
    const { json: specified } = await call('DELETE /product/tokens', { apiKey, query })
    expect(specified.data).toEqual({
      message: `0 NFTs and the ranges 0..4, 10..20 were unbound from contract ${contract.contractAddress} on POLYGON.`,
      removed: 0,
    })
    expect(await listed()).toEqual(['6..9', beyond(21)])
  })
})

test('D49, D57: an event names the first ten ranges of its request, merged', async () => {
  const { apiKey, add, unbind } = await newContract(['5'])
  await add('1..9', '10..12', '20')
  await unbind('*')
  const twelve = numbers(0, 11).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 3}`)
  await add(...twelve)
  const { json } = await call('GET /product/events', { apiKey, query: { limit: '4' } })
  expect(json.data).toMatchObject([
    { action: 'allowlistNfts', count: 12, ranges: twelve.slice(0, 10) },
    { action: 'unbindNfts', count: 1, ranges: ['*'] },
    { action: 'allowlistNfts', count: 3, ranges: ['1..12'] },
    { action: 'allowlistNfts', count: 1, ranges: null },
  ])
})

describe('D57 The limits of ranges', () => {
  test('D57: a contract has 100 ranges; one more, also by splitting, changes nothing', async () => {
    const hundred = numbers(0, 99).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 3}`)
    const { apiKey, contract, add, unbind, listed } = await newContract(hundred)
    expectProblem(await add('5000', '2000..2001'), 'too_many_ranges')
    expectProblem(await unbind('1', '1000'), 'too_many_ranges')
    const query = { ...contract, tokens: ['2'] }
    expectProblem(await call('DELETE /product/tokens', { apiKey, query }), 'too_many_ranges')
    expect(await listed()).toEqual(hundred)
    expect((await add('4..9', '2000..2001')).status).toBe(200)
    expect(await listed()).toEqual(['0..13', ...hundred.slice(2), '2000..2001'])
  })
})

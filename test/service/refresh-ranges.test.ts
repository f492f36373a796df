import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { give, ownedBy } from '../../local/indexer/holdings.ts'
import { setSource } from '../../local/indexer/metadata-cache.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { numbers } from '../../local/samples/samples.ts'
import { type Fault, startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
/** The response instead of the indexer's to the n-th page of a contract since the start of the test. */
let fault: (page: number) => Fault | undefined
let pages: number
const proxy = await startFaultProxy(
  {
    target: indexer.url,
    onRequest: ({ action }) =>
      action.endsWith('/getNFTsForContract') ? fault(++pages) : undefined,
  },
  afterAll,
)
const service = await startOwnService({ INDEXER_URL: proxy.url, REFRESHED_NFTS: '400' }, afterAll)
const { call, newPlayer, newProduct } = service

beforeEach(() => {
  fault = () => undefined
  pages = 0
  indexer.requests.clear()
})

/** The time limit for background work. */
const patience = { interval: 200 }

const network = 'polygon-mainnet'
const wallet = newAddress()

/** A contract of a test's own with these tokens, all in one wallet and known to the indexer. */
function deploy(tokenIds: readonly string[]): string {
  const address = newAddress()
  const metadata = (tokenId: string) => `{"name":"Buoy ${tokenId}","level":1}`
  ownedBy(world, { network, address }, wallet, tokenIds, { metadata })
  return address
}

/** Replaces the documents of tokens at their source. */
const rewrite = (address: string, tokenIds: readonly string[]) => {
  for (const tokenId of tokenIds) {
    setSource(world, { network, address, tokenId }, { metadata: `{"level":2,"id":${tokenId}}` })
  }
}

/** A product with this allowlist of a contract. */
async function productWith(contractAddress: string, tokens: readonly string[]): Promise<string> {
  const apiKey = await newProduct()
  await allowlist(call, apiKey, { contractAddress, tokens })
  return apiKey
}

const refresh = async (apiKey: string, smartContract: string) =>
  await call('POST /tokens/refresh', { apiKey, body: { smartContract } })

const reportOf = async (apiKey: string, smartContract: string) => {
  const answer = await refresh(apiKey, smartContract)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data
}

const changedIn = ({ tokens }: { tokens: { tokenId: string }[] }) =>
  tokens.map(({ tokenId }) => tokenId)

describe('4.7, D59: Refresh metadata of a contract with ranges', () => {
  test.each([['*'], ['1..5000'], ['0x1..0x1388']])('D59: %s', async (element) => {
    const address = deploy(numbers(1, 30))
    const apiKey = await productWith(address, [element])
    rewrite(address, ['3', '30'])
    const report = await reportOf(apiKey, address)
    expect(report).toMatchObject({ checked: 30, changed: 2, failed: 0, pending: 0 })
    expect(changedIn(report)).toEqual(['3', '30'])
    expect(Object.fromEntries(indexer.requests)).toEqual({
      getNFTsForContract: 1,
      getNFTMetadataBatch: 2,
    })
  })

  test('D59: single identifiers and ranges, each NFT once', async () => {
    const address = deploy(numbers(1, 120))
    const apiKey = await productWith(address, ['5', '7', '50', '110'])
    await allowlist(call, apiKey, { contractAddress: address, tokens: ['1..10', '100..105'] })
    rewrite(address, ['5', '11', '50', '105'])
    const report = await reportOf(apiKey, address)
    expect(report).toMatchObject({ checked: 18, changed: 3, failed: 0, pending: 0 })
    expect(changedIn(report)).toEqual(['50', '5', '105'])
  })

  test('D59: without the identifiers that were removed', async () => {
    const address = deploy(numbers(1, 9))
    const apiKey = await productWith(address, ['*'])
    const query = { contractAddress: address, chain: 'POLYGON', tokens: '4' }
    expect((await call('DELETE /product/tokens', { apiKey, query })).status).toBe(200)
    rewrite(address, ['4', '5'])
    const report = await reportOf(apiKey, address)
    expect(report).toMatchObject({ checked: 8, changed: 1, pending: 0 })
  })

  test('D59: an NFT that is minted after the allowlisting is refreshed, and players see its new metadata', async () => {
    const address = deploy(numbers(1, 3))
    const apiKey = await productWith(address, ['*'])
    give(world, { network, address, tokenId: '77' }, wallet)
    const { playerToken } = await newPlayer([wallet])
    const read = async () => (await call('GET /player/tokens/raw', { apiKey, playerToken })).text
    expect(await read()).toContain('Buoy 77')
    rewrite(address, ['77'])
    expect(changedIn(await reportOf(apiKey, address))).toEqual(['77'])
    expect(await read()).toContain('{"level":2,"id":77}')
  })

  test('D59: a collection of 350 is completed in the background, after a failure too', async () => {
    const address = deploy(numbers(1, 350))
    const apiKey = await productWith(address, ['*'])
    rewrite(address, ['1', '200', '201', '350'])
    fault = (page) => (page === 2 ? { status: 501, body: {} } : undefined)
    const first = await reportOf(apiKey, address)
    expect(first).toMatchObject({ checked: 100, changed: 1, failed: 0, pending: 1 })
    expect(changedIn(first)).toEqual(['1'])
    await expect.poll(async () => (await reportOf(apiKey, address)).pending, patience).toBe(0)
    const { refreshedAt } = first
    const done = { refreshedAt, checked: 350, changed: 4, failed: 0, pending: 0, omitted: 4 }
    expect(await reportOf(apiKey, address)).toMatchObject(done)
    // Four pages, and the one that failed. The indexer has not seen that one.
    expect([pages, indexer.requests.get('getNFTsForContract')]).toEqual([5, 4])
    expect(indexer.requests.get('getNFTMetadataBatch')).toBe(8)
    const { json } = await call('GET /product/events', { apiKey })
    const event = { action: 'refreshMetadata', outcome: 'done', count: 350 }
    expect(json.data[0]).toMatchObject(event)
  })

  test('D47, D59: one refresh looks at the NFTs of the limit, also outside the ranges', async () => {
    const address = deploy(numbers(1, 1_000))
    const apiKey = await productWith(address, ['990..995'])
    expect(await reportOf(apiKey, address)).toMatchObject({ checked: 0, pending: 1 })
    await expect.poll(async () => (await reportOf(apiKey, address)).pending, patience).toBe(0)
    expect(Object.fromEntries(indexer.requests)).toEqual({ getNFTsForContract: 4 })
  })
})

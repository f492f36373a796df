import { describe, expect, inject, test } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { allowedNfts } from '../../../test/support/requests/allowlists.ts'
import { startOwnService, withoutUsageWrites } from '../../../test/support/services/own-service.ts'
import { sharedService } from '../../../test/support/services/service.ts'
import type { Network, World } from '../../indexer/world.ts'
import { writeSampleUsage } from '../../samples/sample-items.ts'
import { sampleProduct } from '../../samples/sample-product.ts'
import { sampleSmartAccounts } from '../../samples/sample-smart-accounts.ts'
import { sampleWorld } from '../../samples/sample-world.ts'
import { sampleAddress, samples } from '../../samples/samples.ts'
import { type Nft, polygon, startIndexerForTests } from '../indexer/indexer-calls.ts'

test('the sample product has usage on each of the 30 days before today', async () => {
  const { call, stack } = await startOwnService(withoutUsageWrites)
  const registered = await call('POST /product', {
    body: { name: 'Lamps', contactEmail: 'studio@x.example', companyName: 'Gulls' },
  })
  const { apiKey, productId } = registered.json.data
  const now = Date.now()
  const yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10)
  expect(await writeSampleUsage(stack, productId, now)).toBe(yesterday)
  const usage = await call('GET /product/usage', { apiKey, query: { days: '32' } })
  const days: { calls: unknown[]; players: number; indexerCalls: number }[] = usage.json.data
  const used = days.map(({ calls, players, indexerCalls }) =>
    Boolean(calls.length && players && indexerCalls),
  )
  expect(used).toEqual([false, ...Array(30).fill(true), false])
})

const { call } = sharedService()

const { url } = inject('target')

const { lanterns, vessels } = samples.collections

const ofLanterns = { contractAddress: lanterns.address, chain: 'POLYGON' }

/** The addresses of the contracts that are on the allowlist. */
const allowed = async (apiKey: string) =>
  new Set((await allowedNfts(call, apiKey)).map(({ address }) => address))

test('a start allowlists the collections of chains that were not open before', async () => {
  const folder = newFolder()
  const { apiKey } = await sampleProduct(url, folder, ['POLYGON'])
  expect((await allowed(apiKey)).has(vessels.address)).toBe(false)
  expect((await sampleProduct(url, folder, ['POLYGON', 'BSC'])).apiKey).toBe(apiKey)
  expect((await allowed(apiKey)).has(vessels.address)).toBe(true)
})

test('a start leaves the changes of the developer', async () => {
  const folder = newFolder()
  const { apiKey } = await sampleProduct(url, folder, ['POLYGON'])
  await call('DELETE /product/contract', { apiKey, query: ofLanterns })
  expect((await sampleProduct(url, folder, ['POLYGON'])).apiKey).toBe(apiKey)
  expect((await allowed(apiKey)).has(lanterns.address)).toBe(false)
})

const { page, post, world } = await startIndexerForTests()

describe('the sample world', () => {
  const serve = (sample: World) => Object.assign(world, sample)
  const networks: Network[] = ['polygon-mainnet', 'bnb-mainnet']

  test('has the NFTs and balances of the samples', async () => {
    serve(sampleWorld())
    const counts: Record<string, number[]> = {}
    for (const { username, wallets } of Object.values(samples.players)) {
      counts[username] = []
      for (const owner of wallets) {
        const pages = await Promise.all(networks.map((network) => page({ owner }, network)))
        counts[username].push(pages.reduce((sum, { totalCount }) => sum + totalCount, 0))
      }
    }
    expect(counts).toEqual({
      marrow_finch: [15],
      tessaly_vane: [6, 13, 10],
      old_quill: [304],
      pip_ashore: [0],
    })
  })

  test('has smart accounts with NFTs at their addresses on two chains', async () => {
    serve(sampleWorld())
    const counts: Record<string, number[]> = {}
    for (const { name, address: owner } of Object.values(sampleSmartAccounts)) {
      const pages = await Promise.all(networks.map((network) => page({ owner }, network)))
      counts[name] = pages.map(({ totalCount }) => totalCount)
    }
    expect(counts).toEqual({ brass_heron: [3, 1], moth_lantern: [1, 3] })
  })

  test('has a document, or an error, for every token to allowlist', async () => {
    serve(sampleWorld())
    const without: string[] = []
    for (const { address: contractAddress, chain, tokenIds } of Object.values(
      samples.collections,
    ).filter(({ tokenIds }) => !tokenIds.includes('*'))) {
      const network = chain === 'BSC' ? 'bnb-mainnet' : polygon
      for (let start = 0; start < tokenIds.length; start += 100) {
        const tokens = tokenIds
          .slice(start, start + 100)
          .map((tokenId) => ({ contractAddress, tokenId }))
        const { json } = await post('nft/v3/k/getNFTMetadataBatch', { tokens }, network)
        for (const { raw, tokenId } of (json as { nfts: Nft[] }).nfts) {
          if (raw.error) without.push(`${contractAddress}/${tokenId}`)
        }
      }
    }
    expect(without).toEqual([`${samples.collections.curios.address}/3`])
  })

  test('has 10,000 lanterns', async () => {
    serve(sampleWorld())
    const contractAddress = samples.collections.lanterns.address
    const tokens = ['1', '10000', '0', '10001'].map((tokenId) => ({ contractAddress, tokenId }))
    const { json } = await post('nft/v3/k/getNFTMetadataBatch', { tokens })
    const { nfts } = json as { nfts: (Nft & { contract: { totalSupply: string } })[] }
    const missing = 'Token does not exist'
    expect(nfts.map(({ raw }) => raw.error)).toEqual([null, null, missing, missing])
    expect(nfts[0]?.contract.totalSupply).toBe('10000')
    const owned = await page({ owner: sampleAddress('Harbour Office') })
    expect(owned.totalCount).toBe(10_000)
  })

  test('is the same every time', () => {
    expect(sampleWorld()[polygon].wallets).toEqual(sampleWorld()[polygon].wallets)
    expect(samples.collections.keepers.address).toBe('0x58313af88f09f196f77e05e09979ba8ca6591a3a')
  })
})

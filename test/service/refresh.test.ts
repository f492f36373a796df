import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { setSource } from '@player-nfts/local/indexer/metadata-cache'
import { createWorld } from '@player-nfts/local/indexer/world'
import { numbers } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const network = 'polygon-mainnet'
const chain = 'POLYGON'
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const { call, newPlayer } = service

const wallet = newAddress()
const documentOf = (tokenId: string) => `{"name":"Buoy ${tokenId}","level":1}`

/** A contract of a test's own with these tokens, all in one wallet and known to the indexer. */
function deploy(tokenIds: readonly string[]): string {
  const address = newAddress()
  ownedBy(world, { network, address }, wallet, tokenIds, { metadata: documentOf })
  return address
}

/** Replaces the documents of tokens at their source. */
function rewrite(address: string, tokenIds: readonly string[]): void {
  for (const tokenId of tokenIds) {
    setSource(world, { network, address, tokenId }, { metadata: rewritten(tokenId) })
  }
}

const rewritten = (tokenId: string) => `{"level": 2.0, "10": null, "2": "Buoy ${tokenId}"}`

/** Makes the sources of tokens fail. */
function ruin(address: string, tokenIds: readonly string[]): void {
  const source = { metadata: '{}', error: 'Contract returned a broken token uri' }
  for (const tokenId of tokenIds) setSource(world, { network, address, tokenId }, source)
}

const refresh = (apiKey: string, smartContract: string) =>
  call('POST /tokens/refresh', { apiKey, body: { smartContract } })

async function reportOf(apiKey: string, smartContract: string) {
  const answer = await refresh(apiKey, smartContract)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data
}

describe('4.7 Refresh metadata of a few NFTs', () => {
  test('D31: returns the NFTs whose metadata has changed, with their current metadata', async () => {
    const address = deploy(numbers(1, 9))
    const apiKey = await productWith(service, { chain, address, tokenIds: numbers(1, 8) })
    // The last one is not on the allowlist.
    rewrite(address, ['2', '7', '9'])
    ruin(address, ['4'])
    const answer = await refresh(apiKey, address)
    expect(answer.json.data).toMatchObject({ checked: 8, changed: 2, failed: 1, pending: 0 })
    expect(answer.json.data.failures).toEqual([
      {
        tokenId: '4',
        address,
        chain,
        reason: 'not_available',
        metadataLink: expect.stringMatching(/^https:.*\/4$/),
      },
    ])
    expect(answer.json.data.tokens).toEqual(
      ['2', '7'].map((tokenId) => ({
        tokenId,
        address,
        chain,
        metadataLink: `https://metadata.example/${address}/${tokenId}`,
        rawMetadata: JSON.parse(rewritten(tokenId)),
      })),
    )
    // D26: to the byte.
    for (const tokenId of ['2', '7']) expect(answer.text).toContain(rewritten(tokenId))
  })

  test('D31: the next reads of players return the new metadata', async () => {
    const address = deploy(['1'])
    const apiKey = await productWith(service, { chain, address, tokenIds: ['1'] })
    const { playerToken } = await newPlayer([wallet])
    rewrite(address, ['1'])
    const read = async () => (await call('GET /player/tokens/raw', { apiKey, playerToken })).text
    expect(await read()).toContain(documentOf('1'))
    await reportOf(apiKey, address)
    expect(await read()).toContain(rewritten('1'))
  })
})

describe('4.7 Refresh metadata of many NFTs', () => {
  test('D31: after 200 NFTs it continues in the background until nothing is pending', async () => {
    const address = deploy(numbers(1, 450))
    const apiKey = await productWith(service, { chain, address, tokenIds: numbers(1, 450) })
    rewrite(address, ['1', '150', '200', '201', '333', '450'])
    ruin(address, ['10', '260', '261'])

    indexer.networks.clear()
    const first = await reportOf(apiKey, address)
    expect(first).toMatchObject({ checked: 200, changed: 3, failed: 1, pending: 250 })
    expect(first.failures).toMatchObject([{ tokenId: '10' }])
    expect(first.tokens.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual([
      '1',
      '150',
      '200',
    ])
    await expect
      .poll(async () => (await reportOf(apiKey, address)).pending, { interval: 200 })
      .toBe(0)
    expect(await reportOf(apiKey, address)).toEqual({
      ...first,
      checked: 450,
      changed: 6,
      failed: 3,
      pending: 0,
      failures: [],
      tokens: [],
      omitted: 6,
    })
    // 450 NFTs in batches of 100, each read as stored and then refreshed, and none twice.
    expect(indexer.networks.get(network)).toBe(10)
  })
})

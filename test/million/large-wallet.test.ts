import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { createWorld } from '@player-nfts/local/indexer/world'
import { numbers, sampleAddress } from '@player-nfts/local/samples'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress, type Player } from '../support/services/service.ts'

const read = 'GET /player/tokens/raw'
const structured = 'GET /player/tokens'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const { call, newPlayer } = service

const hoard = { network: 'polygon-mainnet', address: newAddress() } as const
const wallet = newAddress()
ownedBy(world, hoard, wallet, [...numbers(1, 1_500), ...numbers(10_001, 10_050)])

let apiKey: string
let player: Player
beforeAll(async () => {
  apiKey = await productWith(service, {
    chain: 'POLYGON',
    address: hoard.address,
    tokenIds: numbers(1, 1_500),
  })
  player = await newPlayer([wallet])
})

const tokenIdsOf = (entries: readonly { tokenId: string }[]) =>
  entries.map(({ tokenId }) => tokenId)

describe('D25: a wallet of 1,500 allowlisted NFTs', () => {
  test.each([read, structured])('%s: returns two answers, of 1,000 and 500 NFTs', async (path) => {
    const sent = { apiKey, playerToken: player.playerToken }
    const answers = await readThrough(service, path, sent)
    expect(answers.map(({ json }) => json.data.length)).toEqual([1_000, 500])
    expect(answers.map(({ json }) => Object.keys(json))).toEqual([
      ['data', 'success', 'nextCursor', 'asOf'],
      ['data', 'success', 'asOf'],
    ])
    expect(tokenIdsOf(entriesOf(answers))).toEqual(numbers(1, 1_500))
  })

  test('accepts another limit with each cursor', async () => {
    const limits = ['1', '250', '1000', '7', '1000']
    const entries: { tokenId: string }[] = []
    let cursor = ''
    for (const limit of limits) {
      const query = { limit, cursor }
      const { json } = await call(read, { apiKey, playerToken: player.playerToken, query })
      entries.push(...json.data)
      cursor = json.nextCursor ?? ''
    }
    expect(cursor).toBe('')
    expect(tokenIdsOf(entries)).toEqual(numbers(1, 1_500))
  })

  test('a cursor returns the same NFTs each time', async () => {
    const sent = { apiKey, playerToken: player.playerToken }
    const { json } = await call(read, { ...sent, query: { limit: '150' } })
    const query = { limit: '30', cursor: json.nextCursor }
    const again = await Promise.all([1, 2].map(() => call(read, { ...sent, query })))
    for (const { json } of again) expect(tokenIdsOf(json.data)).toEqual(numbers(151, 180))
  })
})

describe('D25: an answer that is not complete', () => {
  const wallets = [newAddress(), newAddress()]
  const addresses = numbers(1, 46)
    .map((number) => sampleAddress(`contract/${number}`))
    .sort()
  const networks = { BSC: 'bnb-mainnet', POLYGON: 'polygon-mainnet' } as const
  /** The expected order: two runs of contracts on one chain, one run on the other. */
  const runs = [
    { chain: 'BSC', run: addresses.slice(0, 2) },
    { chain: 'POLYGON', run: addresses.slice(0, 45) },
    { chain: 'POLYGON', run: addresses.slice(45) },
  ] as const
  const tokenIds = ['2', '10']

  test('is ordered by chain, run of 45 contracts, wallet, and then in the order of the indexer', async () => {
    const contracts = runs.flatMap(({ chain, run }) => run.map((address) => ({ chain, address })))
    for (const owner of wallets) {
      for (const { chain, address } of contracts) {
        ownedBy(world, { network: networks[chain], address }, owner, ['10', '2', '3'])
      }
    }
    const lists = contracts.map((contract) => ({ ...contract, tokenIds }))
    const product = await productWith(service, ...lists)
    const { playerToken } = await newPlayer(wallets)
    const query = { limit: '70' }
    const answers = await readThrough(service, read, { apiKey: product, playerToken, query })
    const places = entriesOf(answers).map(({ chain, owner, address, tokenId }) => {
      return { chain, owner, address, tokenId }
    })
    expect(places).toEqual(
      runs.flatMap(({ chain, run }) =>
        wallets.flatMap((owner) =>
          run.flatMap((address) => tokenIds.map((tokenId) => ({ chain, owner, address, tokenId }))),
        ),
      ),
    )
  })

  test('can be empty after 64 indexer calls: only a missing nextCursor marks the end', async () => {
    const lumber = { network: 'polygon-mainnet', address: newAddress() } as const
    const attic = newAddress()
    ownedBy(world, lumber, attic, numbers(1, 6_450))
    const product = await productWith(service, {
      chain: 'POLYGON',
      address: lumber.address,
      tokenIds: ['6450'],
    })
    const { playerToken } = await newPlayer([attic])
    indexer.requests.clear()
    const first = await call(read, { apiKey: product, playerToken })
    expect(first.json).toEqual({
      data: [],
      success: true,
      nextCursor: expect.any(String),
      asOf: expect.any(String),
    })
    expect(indexer.requests.get('getNFTsForOwner')).toBe(64)
    const query = { cursor: first.json.nextCursor }
    const second = await call(read, { apiKey: product, playerToken, query })
    expect(tokenIdsOf(second.json.data)).toEqual(['6450'])
    expect(Object.keys(second.json)).toEqual(['data', 'success', 'asOf'])
  })
})

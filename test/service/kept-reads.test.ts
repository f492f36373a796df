import { setTimeout } from 'node:timers/promises'
import { setSource } from '@player-nfts/local/indexer/metadata-cache'
import { numbers } from '@player-nfts/local/samples'
import { afterEach, describe, expect, test } from 'vitest'
import {
  storedMetadata,
  unpackedMetadata,
} from '../../lib/adapters/dynamodb/keeping/token-metadata-item.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import { tableOf } from '../support/aws/stored-items.ts'
import { holdRounds } from '../support/proxies/rounds.ts'
import { acceptedBy } from '../support/requests/invoke-function.ts'
import { type Holder, keptReads, tokenIdsOf } from '../support/requests/kept-reads.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const { holder, confirm, keep, know, reader } = keptReads(service)

afterEach(() => service.interfere(() => undefined))

/** Keeps all contracts of a holder, with the metadata of what the wallets hold. */
async function keepAll({ contracts, wallets }: Holder, tokenIds: readonly string[]) {
  for (const contract of contracts) {
    await keep(contract, wallets, tokenIds)
    await know(contract, tokenIds)
  }
  await confirm()
  await confirm(Date.now(), 'BSC')
}

/** The requests of a read in a container that has answered one in the same second, and asked for nothing that is in it. */
const sameSecond = { Query: 2, BatchGetItem: 1 }

/** Beside the first read of a container, the reads of each contract are counted. */
const counted = (contracts: number) => ({ UpdateItem: contracts })

describe('D152: a read of kept contracts', () => {
  test.each([3, 1_000])(
    'Budget: makes the same requests for an allowlist of %i NFTs, and none to the indexer',
    async (length) => {
      const of = await holder({ allowed: numbers(1, length) })
      await keepAll(of, numbers(1, 3))
      const read = reader({}, Date.now())
      const counts = await service.countsOf(async () => {
        const { json } = await read(of)
        expect(json.data.map((nft: object) => ({ ...nft, address: undefined }))).toMatchObject(
          numbers(1, 3).map((tokenId) => ({
            ...{ tokenId, owner: of.wallets[0], balance: '1', metadataLink: `kept:${tokenId}` },
            rawMetadata: { name: `Kept ${tokenId}` },
          })),
        )
      })
      // The API key and the contract; the contracts and the lists; the product with the chains, the allowlist, and the metadata.
      expect(counts).toEqual({ GetItem: 2, Query: 2, BatchGetItem: 3, ...counted(1) })
      expect(await service.countsOf(() => read(of))).toEqual(sameSecond)
    },
  )

  test('Budget: makes no more requests for 45 contracts, and one more for a list that stands apart', async () => {
    const of = await holder({ chains: Array.from({ length: 45 }, (): Chain => 'POLYGON') })
    await keepAll(of, numbers(1, 3))
    const read = reader({}, Date.now())
    const counts = await service.countsOf(async () => {
      expect((await read(of)).json.data).toHaveLength(135)
    })
    // 135 NFTs are looked up and described with two requests each.
    expect(counts).toEqual({ GetItem: 1, Query: 2, BatchGetItem: 2 + 2 + 2, ...counted(45) })
    const large = await holder({ count: 300 })
    await keepAll(large, numbers(1, 300))
    const largeCounts = await service.countsOf(() => reader({}, Date.now())(large))
    expect(largeCounts).toEqual({ GetItem: 2, Query: 3, BatchGetItem: 1 + 3 + 3, ...counted(1) })
  })

  async function roundsOf(sizes: readonly number[], read: () => Promise<{ status: number }>) {
    const { rounds, onRequest } = holdRounds(sizes)
    service.interfere(onRequest)
    expect((await read()).status).toBe(200)
    return rounds
  }

  test('Budget: three rounds of requests in a container that knows the API key', async () => {
    const of = await holder()
    await keepAll(of, numbers(1, 3))
    const read = reader()
    await read(of)
    await setTimeout(1_100)
    expect(await roundsOf([2, 2, 1], () => read(of))).toEqual([
      // The product, the player, how far the chains are read and the allowlist (D96); and the contracts.
      ['BatchGetItem', 'Query'],
      // What is known of the contract, and the lists.
      ['GetItem', 'Query'],
      // The metadata.
      ['BatchGetItem'],
    ])
    const ofNew = await roundsOf([1, 2, 2, 3], () => reader()(of))
    expect(ofNew).toHaveLength(4)
    expect(ofNew[3]?.toSorted()).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem'])
  })

  test('never asks for the metadata of what is not allowlisted', async () => {
    const of = await holder({ count: 80, allowed: ['7'] })
    await keep(of.contract, of.wallets, numbers(1, 80))
    await confirm()
    const sent: unknown[] = []
    service.interfere(({ body, path }) => {
      if (path.includes('getNFTMetadataBatch')) sent.push(body.tokens)
      return undefined
    })
    expect(tokenIdsOf(await reader()(of))).toEqual(['7'])
    expect(sent).toMatchObject([[{ tokenId: '7' }]])
  })
})

describe('D155: the metadata of a kept contract', () => {
  test('is asked for by the first read that nobody has it for, and kept', async () => {
    const of = await holder()
    await keep(of.contract, of.wallets, numbers(1, 3))
    await confirm()
    const first = await service.countsOf(async () => {
      expect((await reader()(of)).json.data).toMatchObject(
        numbers(1, 3).map((tokenId) => ({ rawMetadata: { name: `Token ${tokenId}` } })),
      )
    })
    expect(first).toMatchObject({ getNFTMetadataBatch: 1, PutItem: 3 })
    expect(first).not.toHaveProperty('getNFTsForOwner')
    const second = await service.countsOf(() => reader()(of))
    expect(second).not.toHaveProperty('getNFTMetadataBatch')
  })

  test('is missing with its reason while the indexer is down, and never fails a read', async () => {
    const of = await holder()
    await keep(of.contract, of.wallets, numbers(1, 3))
    await know(of.contract, ['2'])
    await confirm()
    service.interfere(({ service: name }) => (name === 'HTTP' ? { status: 500 } : undefined))
    const { json, status } = await reader()(of)
    expect(status).toBe(200)
    expect(json).not.toHaveProperty('stale')
    expect(json.data).toMatchObject([
      { tokenId: '1', rawMetadata: {}, metadataError: 'indexer_unavailable' },
      { tokenId: '2', rawMetadata: { name: 'Kept 2' } },
      { tokenId: '3', rawMetadata: {}, metadataError: 'indexer_unavailable' },
    ])
  })

  test('is kept from the answers of the indexer while the contract is about to be kept, once', async () => {
    const of = await holder({ allowed: ['1', '3'] })
    await keep(of.contract, [], [], { snapshot: undefined, log: { standard: 'ERC721' } })
    await confirm()
    const read = reader()
    expect(await service.countsOf(() => read(of))).toMatchObject({ getNFTsForOwner: 1, PutItem: 2 })
    const again = await service.countsOf(() => read(of))
    expect(again).toMatchObject({ getNFTsForOwner: 1 })
    expect(again).not.toHaveProperty('PutItem')
  })

  test('D31: is written by a refresh, byte for byte', async () => {
    const of = await holder({ count: 2, chains: ['POLYGON', 'POLYGON'] })
    await keep(of.contract, [], [], { snapshot: undefined })
    const host = service.newContainers({ FOLLOWED_CHAINS: 'POLYGON' })
    const textsAfterRefresh = async ({ address }: Holder['contract']) => {
      const nft = { network: 'polygon-mainnet', address, tokenId: '1' } as const
      setSource(service.world, nft, { metadata: '{"level": 2.0}' })
      const sent = { apiKey: of.apiKey, body: { smartContract: address } }
      const { json, text } = await acceptedBy(host, 'refreshMetadata', sent)
      expect(json.data).toMatchObject({ checked: 2, changed: 1, tokens: [{ tokenId: '1' }] })
      expect(text).toContain('"rawMetadata":{"level": 2.0}')
      const stored = await tableOf(service).itemsUnder(`META#POLYGON#${address}#`)
      const unpacked = stored.map(async (item) => {
        const metadata = storedMetadata(item)
        return metadata && (await unpackedMetadata(metadata))?.metadata.text
      })
      return await Promise.all(unpacked)
    }
    const texts = await textsAfterRefresh(of.contract)
    expect(texts).toHaveLength(2)
    expect(texts).toContain('{"level": 2.0}')
    expect(await textsAfterRefresh(of.contracts[1] as Holder['contract'])).toEqual([])
  })
})

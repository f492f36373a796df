import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/stored-items.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { acceptedBy, processedBy } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

// Also the rows of docs/costs.md#what-a-call-grows-with that no other test counts.

const service = await startCountedService()
const host = service.newContainers()
const table = tableOf(service)
const storedKeys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

/** What the worker asks for a message, which must succeed. */
const useOf = (message: string) => service.useOf(() => processedBy(host, message))
const countsOf = async (message: string) => (await useOf(message)).counts

/** The read units of a list of this many items of 132 bytes. */
const readsOf = (items: number) => Math.max(1, Math.ceil((items * 132) / 4_096))

/** A product with a contract for each of these lists, whose key is known to the container. */
async function productWith(...lists: string[][]) {
  const apiKey = await service.newProduct()
  const addresses = lists.map(newAddress)
  for (const [index, tokens] of lists.entries()) {
    await allowlist(service.call, apiKey, { contractAddress: addresses[index] ?? '', tokens })
  }
  await acceptedBy(host, 'getContracts', { apiKey })
  return { apiKey, addresses }
}

/** The message that deletes a product, and what sets the time at which it has ended. */
async function deletionOf(apiKey: string) {
  const { product } = await storedKeys.find(apiKey)
  const productId = product.pk.replace('PRODUCT#', '')
  const message = JSON.stringify({ kind: 'deleteProduct', productId })
  const end = (endedAt: Date) => storedKeys.setProduct(apiKey, { endedAt: endedAt.toISOString() })
  return { message, end }
}

test('D45, Budget: deleting a product with 2,500 NFTs', async () => {
  const nfts = 2_500
  const { apiKey } = await productWith(numbers(1, nfts), ['1'])
  // A further key and an ended one.
  const keys = keysOf(service.call, apiKey)
  keyIn(await keys.create())
  await keys.end(keyIn(await keys.create()).keyId)
  const { message, end } = await deletionOf(apiKey)
  // A product that has not ended, and one that has ended a moment ago.
  expect(await countsOf(message)).toEqual({ GetItem: 1 })
  await end(new Date())
  expect(await countsOf(message)).toEqual({ GetItem: 1, SendMessage: 1 })
  await end(new Date(0))
  expect(await countsOf(message)).toEqual({
    GetItem: 1,
    // The contracts, their lists in pages of 1,000 until nothing is left, and the partition of the product.
    Query: 1 + (Math.ceil((nfts + 1) / 1_000) + 1) + (1 + 1) + 1,
    // The lists with their descriptions, the listed API keys, the digests of the records, and the rest of the partition.
    BatchWriteItem: nfts / 25 + 1 + 1 + 1 + 1 + 1,
    // The contracts, and the product.
    DeleteItem: 2 + 1,
  })
  expect(await countsOf(message)).toEqual({ GetItem: 1 })
})

describe('Budget: units for a list with', () => {
  const lists: [name: string, tokens: string[], items: number][] = [
    ['62 NFTs', numbers(1, 62), 62],
    ['a range', ['1..5'], 0],
    ['*', ['*'], 0],
  ]

  test.each(lists)('%s: getContracts and the sweep', async (name, tokens, items) => {
    const { apiKey, addresses } = await productWith(tokens)
    const { units } = await service.useOf(() => acceptedBy(host, 'getContracts', { apiKey }))
    const count = name === '*' ? 0 : readsOf(items)
    // The product, the contracts, and the description of each.
    expect(units).toEqual({ read: 1 + 1 + 1 + count, write: 0 })

    const [contractAddress = ''] = addresses
    const query = { contractAddress, chain: 'POLYGON' }
    await acceptedBy(host, 'unbindContract', { apiKey, query })
    const { units: sweep } = await useOf(service.messages().at(-1) ?? '')
    // The contract, and the end of the list. The description is an item of the list.
    expect(sweep).toEqual({ read: 2 + readsOf(items + 1), write: items + 1 })
  })

  test('more than 1,000 NFTs: getContracts reads 33 units of it', async () => {
    const { apiKey } = await productWith(numbers(1, 1_100))
    const { units } = await service.useOf(() => acceptedBy(host, 'getContracts', { apiKey }))
    expect(units.read).toBe(1 + 1 + 1 + 33)
  })

  test('each of these, in one product: its deletion', async () => {
    const { apiKey } = await productWith(...lists.map(([, tokens]) => tokens))
    const { message, end } = await deletionOf(apiKey)
    await end(new Date(0))
    const before = (await table.itemsUnder('')).length
    const { units } = await useOf(message)
    const ofLists = lists.map(([, , items]) => 1 + readsOf(items + 1))
    expect(units).toEqual({
      // The product, its contracts and the rest of its items, of less than 4 KB each.
      read: 3 + ofLists.reduce((sum, each) => sum + each, 0),
      write: before - (await table.itemsUnder('')).length,
    })
  })
})

/** The requests of a refresh of 250 NFTs of a contract, and of the worker for the last 50, in warm containers. */
async function countsOfRefresh(tokens: readonly string[]): Promise<RequestCounts[]> {
  const host = service.newContainers()
  const apiKey = await service.newProduct()
  let counts: RequestCounts[] = []
  for (let round = 0; round < 2; round += 1) {
    const contractAddress = newAddress()
    const contract = { network: 'polygon-mainnet', address: contractAddress } as const
    ownedBy(service.world, contract, newAddress(), numbers(1, 250))
    await allowlist(service.call, apiKey, { contractAddress, tokens })
    const sent = { apiKey, body: { smartContract: contractAddress } }
    const request = await service.countsOf(async () => {
      const { json } = await acceptedBy(host, 'refreshMetadata', sent)
      expect(json.data.checked).toBe(200)
    })
    const worker = await service.countsOf(() => processedBy(host, service.messages().at(-1)))
    const { json } = await service.call('POST /tokens/refresh', sent)
    expect(json.data).toMatchObject({ checked: 250, pending: 0 })
    counts = [request, worker]
  }
  return counts
}

const pages = { getNFTsForContract: 2 }
const page = { getNFTsForContract: 1 }

test.each([
  ['`*`: a page of the indexer each, and no read of the list', ['*'], [1, pages], [0, page]],
  ['another range: a read of the single NFTs more', ['1..5000'], [1 + 1, pages], [0, page]],
  ['no range: only reads of the list', numbers(1, 250), [1 + 2 + 1, {}], [1, {}]],
] as const)(
  'Budget: D59: a refresh: %s',
  async (_, tokens, [reads, indexer], [readsByWorker, indexerByWorker]) => {
    // The event of the change, and the write of the usage of the worker (D49, D55).
    const request = { GetItem: 1, PutItem: 2 + 1, UpdateItem: 1, SendMessage: 1 }
    const worker = { GetItem: 3 + 1, PutItem: 1, UpdateItem: 1 + 1 }
    expect(await countsOfRefresh(tokens)).toEqual([
      { ...request, Query: reads, ...indexer, getNFTMetadataBatch: 2 * 2 },
      {
        ...{ ...worker, ...(readsByWorker && { Query: readsByWorker }) },
        ...{ ...indexerByWorker, getNFTMetadataBatch: 2 },
      },
    ])
  },
)

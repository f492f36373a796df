import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { numbers } from '@player-nfts/local/samples'
import { expect, test } from 'vitest'
import { type OperationId, operations } from '../../functions/operations.ts'
import { requestsOf, sumOf } from '../../lib/contract/requests.ts'
import type { Requests } from '../../lib/contract/route.ts'
import { rowOf } from '../support/operations.ts'
import { allowlist, allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { acceptedBy, processedBy } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

/** The requests of the first call of a container, and of the next call with the same API key. */
type ColdAndWarm = [cold: Requests, warm: Requests]

/** The requests of an operation, with other numbers for this size. */
const sized = (id: OperationId, numbers: Requests): ColdAndWarm => {
  const { each, first, firstOfKey } = requestsOf(rowOf(id), operations[id].requests)
  const warm = { ...each, ...numbers }
  return [sumOf(warm, first, firstOfKey), warm]
}

const reading = ['getRawMetadata', 'getStructuredMetadata'] as const

/**
 * For this number of NFTs of one contract in one wallet: the product with the player, and a page for each 100, whatever
 * the allowlist.
 */
const forWallet = (length: number) => {
  const pages = Math.ceil(length / 100)
  return sized('getRawMetadata', { getNFTsForOwner: pages, BatchGetItem: 1 + pages })
}

/** For this number of NFTs on the allowlist of one contract. */
const forAllowlist = (length: number) => ({
  // A contract that is new to the product, with its description.
  allowlistNfts: sized('allowlistNfts', { Query: 1, PutItem: 2 + 1, BatchWriteItem: length / 25 }),
  // The contracts, and the NFTs in pages of 1 MB, at 132 bytes each.
  getAllowedNfts: sized('getAllowedNfts', { Query: 1 + Math.ceil((length * 132) / 1_048_576) }),
  // The contracts, and up to 200 NFTs in pages of 100; the rest is counted in pages of 1 MB.
  refreshMetadata: sized(
    'refreshMetadata',
    length > 200
      ? {
          Query: 1 + 2 + Math.ceil(((length - 200) * 132) / 1_048_576),
          getNFTMetadataBatch: 2 * 2,
          SendMessage: 1,
        }
      : {},
  ),
})

// The worker deletes 1,000 at a time, until nothing is left. The description is an item too.
const sweepOf = (length: number): Requests => ({
  GetItem: 1,
  Query: Math.ceil((length + 1) / 1_000) + 1,
  BatchWriteItem: length / 25 + 1,
})

/** .ci/soak measures 10,000 NFTs, whose token ids take more than one page of 1 MB. */
const longAllowlist = Number(process.env['LONG_ALLOWLIST'] ?? 2_000)

const service = await startCountedService()
const network = 'polygon-mainnet'

/** Counts the requests of calls, in a new container for each kind of call. */
function newMeasurement(variables: Record<string, string> = {}) {
  const host = service.newContainers(variables)
  const counts: Record<string, RequestCounts[]> = {}
  const measure = async (name: string, run: () => Promise<unknown>) => {
    counts[name] = [...(counts[name] ?? []), await service.countsOf(run)]
  }
  return {
    counts,
    ask: (id: OperationId, sent: Sent) => measure(id, () => acceptedBy(host, id, sent)),
    work: (kind: string, message: unknown) => measure(kind, () => processedBy(host, message)),
  }
}

/** A player whose one wallet holds these tokens. */
async function holderOf(...nfts: [address: string, tokenIds: string[]][]) {
  const wallet = newAddress()
  for (const [address, tokenIds] of nfts)
    ownedBy(service.world, { network, address }, wallet, tokenIds)
  const { playerToken } = await service.newPlayer([wallet])
  return { playerToken }
}

const allowlisting = (contractAddress: string, count: number) => ({
  body: allowlistingBody({ contractAddress, tokens: numbers(1, count) }),
})

test.each([100, longAllowlist])('Budget: for an allowlist of %i NFTs', async (length) => {
  // A deployment without webhooks.
  const { counts, ask, work } = newMeasurement({ WEBHOOK_QUEUE_URL: '' })
  const large = newMeasurement()
  const product = { apiKey: await service.newProduct() }
  const [long, short] = [newAddress(), newAddress()]
  const contract = (contractAddress: string) => ({ contractAddress, chain: 'POLYGON' })
  const tokens = numbers(20_001, 20_002)
  const ofTen = await holderOf([long, numbers(1, 10)])
  const ofThousand = await holderOf([long, numbers(1, 1_000)])
  await ask('allowlistNfts', { ...product, ...allowlisting(long, length) })
  for (let round = 0; round < 2; round += 1) {
    await ask('getAllowedNfts', product)
    await ask('unbindNfts', { ...product, query: { ...contract(long), tokens } })
    for (const id of reading) {
      await ask(id, { ...product, ...ofTen })
      await large.ask(id, { ...product, ...ofThousand })
    }
  }
  // The next call of a container has about 100 NFTs, because writing many is expensive.
  await ask('allowlistNfts', { ...product, ...allowlisting(short, 100) })
  for (const address of [long, short]) {
    await ask('refreshMetadata', { ...product, body: { smartContract: address } })
    await ask('unbindContract', { ...product, query: contract(address) })
    await work('sweep', service.messages().at(-1))
  }
  const [ofLength, ofHundred] = [forAllowlist(length), forAllowlist(100)]
  expect(counts).toEqual({
    // As for any length.
    unbindContract: sized('unbindContract', {}),
    unbindNfts: sized('unbindNfts', {}),
    getRawMetadata: forWallet(10),
    getStructuredMetadata: forWallet(10),
    getAllowedNfts: ofLength.getAllowedNfts,
    allowlistNfts: [ofLength.allowlistNfts[0], ofHundred.allowlistNfts[1]],
    refreshMetadata: [ofLength.refreshMetadata[0], ofHundred.refreshMetadata[1]],
    sweep: [sweepOf(length), sweepOf(100)],
  })
  expect(large.counts).toEqual({
    getRawMetadata: forWallet(1_000),
    getStructuredMetadata: forWallet(1_000),
  })
})

test('D121: a deployment with webhooks tells them of a contract that is new, and of nothing else', async () => {
  const apiKey = await service.newProduct()
  const contract = newAddress()
  const calls = [1, 2].map((length) => ({ apiKey, ...allowlisting(contract, length) }))
  const counts = await service.countsOfCalls(service.newContainers(), 'allowlistNfts', calls)
  expect(counts.map(({ SendMessage = 0 }) => SendMessage)).toEqual([1, 0])
})

/** The indexer is asked for 45 contracts at a time, in the order of their addresses. */
const contracts = numbers(0, 49).map((n) => `0x${n.padStart(40, '0')}`)

/** Ranges of 5 identifiers: 0..4, 10..14, … */
const ranges = (count: number) =>
  numbers(0, count - 1).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 4}`)

// The player has the NFTs 0 to 9 of the first contract, and 100 of the second one, which is on the list alone.
test.each([
  ['single NFTs', numbers(0, 9), ['1']],
  ['100 ranges', [...ranges(100), ...numbers(5, 9)], ['1']],
  ['*', ['*'], ['1']],
  ['50 contracts of 4 ranges', [...ranges(4), ...numbers(5, 9)], ranges(4)],
])(
  "Budget: D57: a player's NFTs take the same requests with ranges as without: %s",
  async (_, first, others) => {
    const apiKey = await service.newProduct()
    const tokensAt = (index: number) => [first, ['100', ...others]][index] ?? others
    const listing = contracts.map((contractAddress, index) =>
      allowlist(service.call, apiKey, { contractAddress, tokens: tokensAt(index) }),
    )
    await Promise.all(listing)
    const { playerToken } = await holderOf(
      [`${contracts[0]}`, numbers(0, 9)],
      [`${contracts[1]}`, ['100']],
    )
    const sent = { apiKey, playerToken }
    for (const id of reading) {
      const host = service.newContainers()
      const counts = await service.countsOfCalls(host, id, [sent, sent])
      // The product with the player; the NFTs of both contracts in one page, and one read of them; nothing in the other.
      expect(counts).toEqual(sized(id, { getNFTsForOwner: 2, BatchGetItem: 1 + 1 }))
      expect((await acceptedBy(host, id, sent)).json.data).toHaveLength(11)
    }
  },
)

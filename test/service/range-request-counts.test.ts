import { describe, expect, test } from 'vitest'
import { readingPlayerNfts, requestsOfPlayerNfts } from '../../lib/contract/player-nfts-row.ts'
import { requestsOf, sumOf } from '../../lib/contract/requests.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const network = 'polygon-mainnet'

/** The indexer is asked for 45 contracts at a time, in the order of their addresses. */
const contracts = numbers(0, 49).map((n) => `0x${n.padStart(40, '0')}`)

/** Ranges of 5 identifiers: 0..4, 10..14, … */
const ranges = (count: number) =>
  numbers(0, count - 1).map((n) => `${Number(n) * 10}..${Number(n) * 10 + 4}`)

// The player has the NFTs 0 to 9 of the first contract, and 100 of the second one, which is on the list alone.
const allowlists = {
  'single NFTs': { first: numbers(0, 9), others: ['1'] },
  '100 ranges': { first: [...ranges(100), ...numbers(5, 9)], others: ['1'] },
  '*': { first: ['*'], others: ['1'] },
  '50 contracts of 4 ranges': { first: [...ranges(4), ...numbers(5, 9)], others: ranges(4) },
}

/**
 * The product with the player, and one list of contracts; the NFTs of both contracts in one page, and one read of them;
 * nothing in the other page.
 */
const { first, firstOfKey, ...reading } = requestsOf(readingPlayerNfts, requestsOfPlayerNfts)
const each = { ...reading.each, getNFTsForOwner: 2, BatchGetItem: 1 + 1 }
const ofFirstCall = sumOf(each, first, firstOfKey)

async function newProduct({ first, others }: { first: string[]; others: string[] }) {
  const apiKey = await service.newProduct()
  const tokensAt = (index: number) => [first, ['100', ...others]][index] ?? others
  const answers = await Promise.all(
    contracts.map(async (contractAddress, index) => {
      const body = allowlistingBody({ contractAddress, tokens: tokensAt(index) })
      return await service.call('POST /product/tokens', { apiKey, body })
    }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  return apiKey
}

async function newHolder() {
  const wallet = newAddress()
  ownedBy(service.world, { network, address: `${contracts[0]}` }, wallet, numbers(0, 9))
  ownedBy(service.world, { network, address: `${contracts[1]}` }, wallet, ['100'])
  return await service.newPlayer([wallet])
}

describe("Budget: a player's NFTs take the same requests with ranges as without", () => {
  test.each(Object.entries(allowlists))('D57: %s', async (_, allowlist) => {
    const apiKey = await newProduct(allowlist)
    const { playerToken } = await newHolder()
    for (const id of ['getRawMetadata', 'getStructuredMetadata'] as const) {
      const host = service.newContainers()
      const counts: RequestCounts[] = []
      for (let call = 0; call < 2; call += 1) {
        const read = async () => {
          const { json } = await invokeFunction(host, id, { apiKey, playerToken })
          expect(json.data).toHaveLength(11)
        }
        counts.push(await service.countsOf(read))
      }
      expect(counts).toEqual([ofFirstCall, each])
    }
  })
})

import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { deploymentLimits } from '../../local/deployment-limits.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { holdRounds } from '../support/proxies/rounds.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** A limit by the day gives nothing back during a test. */
const callsADay = (count: number) => ({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: `${count}` })

/** A product with NFTs of this number of contracts, and a player with one of the first contract in each wallet. */
async function gameWith({ contracts = 1, wallets = 1, nfts = 1 }) {
  const addresses = Array.from({ length: contracts }, newAddress).sort()
  const lists = addresses.map((address) => ({
    chain: 'POLYGON',
    address,
    tokenIds: numbers(1, nfts),
  }))
  const apiKey = await productWith(service, ...lists)
  const [address = ''] = addresses
  const owners = Array.from({ length: wallets }, newAddress)
  for (const owner of owners) {
    ownedBy(service.world, { network: 'polygon-mainnet', address }, owner, ['1'])
  }
  const { playerToken } = await service.newPlayer(owners)
  return { apiKey, address, playerToken }
}

/** Calls an operation, and counts the requests that it makes. */
async function counted(
  host: ReturnType<typeof service.newContainers>,
  id: OperationId,
  sent: Sent,
): Promise<{ answer: Received; counts: RequestCounts }> {
  const answers: Received[] = []
  const counts = await service.countsOf(async () => {
    answers.push(await invokeFunction(host, id, sent))
  })
  return { answer: answers[0] as Received, counts }
}

describe('D78: a request whose product has fewer calls of the indexer left than it needs', () => {
  test.each(['getRawMetadata', 'getStructuredMetadata'] as const)(
    'D78: %s ends its page early, and the cursor goes on',
    async (id) => {
      const { apiKey, playerToken } = await gameWith({ wallets: 5 })
      const [limited, other] = [service.newContainers(callsADay(3)), service.newContainers()]
      const first = await counted(limited, id, { apiKey, playerToken })
      expect(first.answer.json.data).toHaveLength(3)
      expect(first.counts).toMatchObject({ getNFTsForOwner: 3 })
      const next = { apiKey, playerToken, query: { cursor: first.answer.json.nextCursor } }
      const refused = await counted(limited, id, next)
      expectProblem(refused.answer, 'rate_limited')
      expect(refused.counts).not.toHaveProperty('getNFTsForOwner')
      const { json } = (await counted(other, id, next)).answer
      expect(json.data).toHaveLength(2)
      expect(json.nextCursor).toBeUndefined()
    },
  )

  test('D60, D78: getNfts ends its page early, and the cursor goes on', async () => {
    const { apiKey } = await gameWith({ contracts: 4 })
    const [limited, other] = [service.newContainers(callsADay(3)), service.newContainers()]
    const first = await counted(limited, 'getNfts', { apiKey })
    expect(first.answer.json.data).toHaveLength(3)
    expect(first.counts).toMatchObject({ getNFTMetadataBatch: 3 })
    const query = { cursor: first.answer.json.nextCursor }
    const { json } = (await counted(other, 'getNfts', { apiKey, query })).answer
    expect([json.data.length, json.nextCursor]).toEqual([1, undefined])
  })

  test('D31, D78: a refresh goes on in the background', async () => {
    const { apiKey, address } = await gameWith({ nfts: 150 })
    const host = service.newContainers(callsADay(1))
    const sent = { apiKey, body: { smartContract: address } }
    const { answer, counts } = await counted(host, 'refreshMetadata', sent)
    expect(answer.json.data).toMatchObject({ checked: 0, pending: 150 })
    expect(counts).toMatchObject({ getNFTMetadataBatch: 1 })
    const Records = [{ messageId: 'message', body: service.messages().at(-1) }]
    await host.invoke(workerName, { Records })
    const { json } = (await counted(service.newContainers(), 'refreshMetadata', sent)).answer
    expect(json.data).toMatchObject({ checked: 150, pending: 0 })
  })
})

describe('Budget: reserving the calls of a request', () => {
  test('D78: is one round more before the indexer, and one write', async () => {
    const host = service.newContainers(deploymentLimits)
    const [warming, { apiKey, playerToken }] = [await gameWith({}), await gameWith({ wallets: 8 })]
    await invokeFunction(host, 'getRawMetadata', warming)
    const pages = [Array(8).fill('getNFTsForOwner'), Array(8).fill('BatchGetItem')]
    // The API key, then the product with its counters and the player, and the contracts.
    const reads = [['GetItem'], ['BatchGetItem', 'Query']]
    const expected = [...reads, ['UpdateItem'], ...pages]
    const { rounds, onRequest } = holdRounds(expected.map(({ length }) => length))
    service.interfere(onRequest)
    const answer = await invokeFunction(host, 'getRawMetadata', { apiKey, playerToken })
    service.interfere(() => undefined)
    expect(answer.json.data).toHaveLength(8)
    expect(rounds).toEqual(expected)
  })
})

import { expect, test } from 'vitest'
import { workerName } from '../../infra/bundle/bundle.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type RequestCounts, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** The requests of a refresh of 250 NFTs of a contract, and of the worker for the last 50, in warm containers. */
async function countsFor(tokens: readonly string[]): Promise<RequestCounts[]> {
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
      const { json } = await invokeFunction(host, 'refreshMetadata', sent)
      expect(json.data.checked).toBe(200)
    })
    const Records = [{ messageId: 'message', body: service.messages().at(-1) }]
    const worker = await service.countsOf(() => host.invoke(workerName, { Records }))
    const { json } = await service.call('POST /tokens/refresh', sent)
    expect(json.data).toMatchObject({ checked: 250, pending: 0 })
    counts = [request, worker]
  }
  return counts
}

/** The event of the change, and the write of the usage of the worker (D49, D55). */
const request = { GetItem: 1, PutItem: 2 + 1, UpdateItem: 1, SendMessage: 1 }
const worker = { GetItem: 3 + 1, PutItem: 1, UpdateItem: 1 + 1 }

test('Budget: D59: `*` takes a request of the indexer for each page, and no read of the allowlist', async () => {
  expect(await countsFor(['*'])).toEqual([
    { ...request, Query: 1, getNFTsForContract: 2, getNFTMetadataBatch: 2 * 2 },
    { ...worker, getNFTsForContract: 1, getNFTMetadataBatch: 2 },
  ])
})

test('Budget: D59: another range takes a read of the single identifiers more', async () => {
  expect(await countsFor(['1..5000'])).toEqual([
    { ...request, Query: 1 + 1, getNFTsForContract: 2, getNFTMetadataBatch: 2 * 2 },
    { ...worker, getNFTsForContract: 1, getNFTMetadataBatch: 2 },
  ])
})

test('Budget: a list without ranges takes the same requests as before', async () => {
  expect(await countsFor(numbers(1, 250))).toEqual([
    { ...request, Query: 1 + 2 + 1, getNFTMetadataBatch: 2 * 2 },
    { ...worker, Query: 1, getNFTMetadataBatch: 2 },
  ])
})

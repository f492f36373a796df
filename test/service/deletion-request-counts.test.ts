import { expect, test } from 'vitest'
import { workerName } from '../../infra/bundle/bundle.ts'
import { numbers } from '../../local/samples/samples.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const host = service.newContainers()
const storedKeys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

/** Passes a message to the worker, which must succeed; returns its requests. */
const requestsOf = (item: object) =>
  service.countsOf(async () => {
    const record = { messageId: 'message', body: JSON.stringify(item) }
    const result = await host.invoke(workerName, { Records: [record] })
    expect(result).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' })
  })

/** A product with two contracts, a further key and an ended key, and the message of its deletion. */
async function newProduct(nfts: number) {
  const apiKey = await service.newProduct()
  const keys = keysOf(service.call, apiKey)
  keyIn(await keys.create())
  await keys.end(keyIn(await keys.create()).keyId)
  for (const tokens of [numbers(1, nfts), ['1']]) {
    await allowlist(service.call, apiKey, { contractAddress: newAddress(), tokens })
  }
  const { product } = await storedKeys.find(apiKey)
  const productId = product.pk.replace('PRODUCT#', '')
  const end = (endedAt: Date) => storedKeys.setProduct(apiKey, { endedAt: endedAt.toISOString() })
  return { item: { kind: 'deleteProduct', productId }, end }
}

test.each([100, 2_500])('D45, Budget: deleting a product with %i NFTs', async (nfts) => {
  const { item, end } = await newProduct(nfts)
  // A product that has not ended, and one that has ended a moment ago.
  expect(await requestsOf(item)).toEqual({ GetItem: 1 })
  await end(new Date())
  expect(await requestsOf(item)).toEqual({ GetItem: 1, SendMessage: 1 })
  await end(new Date(0))
  expect(await requestsOf(item)).toEqual({
    GetItem: 1,
    // The contracts, their lists in pages of 1,000 until nothing is left, and the partition of the product.
    Query: 1 + (Math.ceil((nfts + 1) / 1_000) + 1) + (1 + 1) + 1,
    // The lists with their descriptions, the listed API keys, the digests of the records, and the rest of the partition.
    BatchWriteItem: nfts / 25 + 1 + 1 + 1 + 1 + 1,
    // The contracts, and the product.
    DeleteItem: 2 + 1,
  })
  expect(await requestsOf(item)).toEqual({ GetItem: 1 })
})

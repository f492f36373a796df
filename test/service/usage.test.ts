import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { numbers } from '@player-nfts/local/samples'
import type * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { OperationId, routes } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { productWith } from '../support/requests/reading.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const keys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

/** A container of each function in which each request writes the counts of the request before. */
const writing = (variables: Record<string, string> = {}) =>
  service.newContainers({ USAGE_DELAY_SECONDS: '0', ...variables })

type Usage = v.InferOutput<typeof routes.getUsage.answer>[number]

/** The usage of the latest two days, because the test can run at midnight. */
async function usageOf(apiKey: string): Promise<Usage> {
  const { json } = await service.call('GET /product/usage', { apiKey, query: { days: '2' } })
  const days: Usage[] = json.data
  const latest = days.find(({ calls, indexerCalls }) => calls.length > 0 || indexerCalls > 0)
  return latest ?? (days[0] as Usage)
}

/** The counts of calls as `operation outcome`, with their numbers. */
const countsIn = ({ calls }: Usage) =>
  Object.fromEntries(
    calls.map(({ operation, outcome, count }) => [`${operation} ${outcome}`, count]),
  )

/** Calls an operation, and returns the statuses of the responses. */
async function ask(host: LambdaHost, id: OperationId, sent: Sent, times = 1): Promise<number[]> {
  const statuses: number[] = []
  for (let call = 0; call < times; call += 1) {
    statuses.push((await invokeFunction(host, id, sent)).status)
  }
  return statuses
}

/** Lets the containers of an operation write everything, with a request of another product. */
async function flush(host: LambdaHost, id: OperationId, sent: Sent = {}): Promise<void> {
  const apiKey = await service.newProduct()
  await ask(host, id, { ...sent, apiKey }, 2)
}

/** A product with the tokens 1 to `count` of a contract, and the wallet that holds them. */
async function productOf(count: number) {
  const [address, wallet, tokenIds] = [newAddress(), newAddress(), numbers(1, count)]
  ownedBy(service.world, { network: 'polygon-mainnet', address }, wallet, tokenIds)
  const apiKey = await productWith(service, { chain: 'POLYGON', address, tokenIds })
  return { apiKey, wallet, address }
}

const playerOf = async (wallet: string) => (await service.newPlayer([wallet])).playerToken

describe('D55: the calls of a product', () => {
  test('D55: reads count their indexer calls and distinct players', async () => {
    const { apiKey, wallet } = await productOf(150)
    const [one, other] = [await playerOf(wallet), await playerOf(wallet)]
    for (const host of [writing(), writing()]) {
      for (const playerToken of [one, other, one]) {
        await ask(host, 'getRawMetadata', { apiKey, playerToken })
      }
      await flush(host, 'getRawMetadata', { playerToken: await playerOf(newAddress()) })
    }
    const usage = await usageOf(apiKey)
    expect(countsIn(usage)).toEqual({ 'getRawMetadata success': 6 })
    expect(usage).toMatchObject({ indexerCalls: 12, players: 2, playersEstimated: false })
  })

  test('D45, D46, D55: calls that are refused with 403 and 404 count, without their players', async () => {
    const { apiKey, wallet } = await productOf(1)
    const host = writing()
    const read = keyIn(await keysOf(service.call, apiKey).create({ scope: 'READ' }))
    const unbinding = { query: { contractAddress: newAddress(), chain: 'POLYGON' } }
    expect(await ask(host, 'getProduct', { apiKey: read.apiKey })).toEqual([403])
    expect(await ask(host, 'unbindContract', { apiKey, ...unbinding })).toEqual([404])
    const playerToken = await playerOf(wallet)
    await keys.setProduct(apiKey, { stoppedAt: new Date().toISOString() })
    expect(await ask(host, 'getRawMetadata', { apiKey, playerToken })).toEqual([403])
    // The refused request writes the counts of the request before.
    expect(await ask(host, 'getRawMetadata', { apiKey, playerToken })).toEqual([403])
    await keys.removeFromProduct(apiKey, 'stoppedAt')
    expect(countsIn(await usageOf(apiKey))).toEqual({ 'getRawMetadata product_stopped': 1 })
    await flush(host, 'getProduct')
    await flush(host, 'unbindContract', unbinding)
    await flush(host, 'getRawMetadata', { playerToken })
    const usage = await usageOf(apiKey)
    expect(countsIn(usage)).toEqual({
      'getProduct insufficient_scope': 1,
      'getRawMetadata product_stopped': 2,
      'unbindContract contract_not_connected': 1,
    })
    expect(usage.players).toBe(0)
  })

  test('D47, D55: a limit that refuses calls is counted, and the flood is written together', async () => {
    const { apiKey, wallet } = await productOf(1)
    const playerToken = await playerOf(wallet)
    const host = service.newContainers({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: '2' })
    const statuses = await ask(host, 'getRawMetadata', { apiKey, playerToken }, 3)
    expect(statuses.at(-1)).toBe(429)
    const counts = await service.countsOf(() =>
      ask(host, 'getRawMetadata', { apiKey, playerToken }, 20),
    )
    expect(counts).toMatchObject({ BatchGetItem: 20 })
    expect(counts).not.toHaveProperty('UpdateItem')

    const prompt = writing({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: '2' })
    await ask(prompt, 'getRawMetadata', { apiKey, playerToken }, 3)
    const { limited } = await usageOf(apiKey)
    expect(limited).toEqual([{ limit: 'indexer_calls_by_day', count: 2 }])
  })

  test('D55: a call that is refused with 401 counts for nobody, and writes nothing', async () => {
    const apiKey = await service.newProduct()
    const { productId } = (await service.call('GET /product', { apiKey })).json.data
    const sent = { playerToken: await playerOf(newAddress()), query: { productId } }
    const host = writing()
    const counts = await service.countsOf(async () => {
      expect(await ask(host, 'getRawMetadata', sent, 3)).toEqual([401, 401, 401])
      expect(await ask(host, 'getProduct', { apiKey: 'nonsense' }, 3)).toEqual([401, 401, 401])
    })
    expect(counts).not.toHaveProperty('UpdateItem')
    expect(countsIn(await usageOf(apiKey))).toEqual({})
  })

  test('D55: the worker counts the indexer calls of a refresh', async () => {
    const { apiKey, address } = await productOf(300)
    const host = writing()
    await ask(host, 'refreshMetadata', { apiKey, body: { smartContract: address } })
    const Records = [{ messageId: 'message', body: service.messages().at(-1) }]
    const counts = await service.countsOf(() => host.invoke(workerName, { Records }))
    expect(counts['getNFTMetadataBatch']).toBe(2)
    expect(await usageOf(apiKey)).toMatchObject({ calls: [], indexerCalls: 2 })
  })
})

test('D51, D55: with client access, calls of games count for their product', async () => {
  const { apiKey, wallet } = await productOf(1)
  const { productId } = (await service.call('GET /product', { apiKey })).json.data
  await service.call('PATCH /product', { apiKey, body: { clientAccess: true } })
  const host = writing()
  const sent = { playerToken: await playerOf(wallet), query: { productId } }
  expect(await ask(host, 'getRawMetadata', sent, 3)).toEqual([200, 200, 200])
  const usage = await usageOf(apiKey)
  expect(countsIn(usage)).toEqual({ 'getRawMetadata success': 2 })
  expect(usage.players).toBe(1)
})

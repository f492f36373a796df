import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { expect, test } from 'vitest'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** Limits by the day, so that the time of a test gives nothing back. */
const limits = {
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '200',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY: '100',
}

/**
 * A product with one allowlisted NFT, and a player who has it in the first of this number of wallets: the requests with the key, of a
 * game without a key, and with the key for a player with one wallet.
 */
async function reading(wallets: number) {
  const address = newAddress()
  const apiKey = await productWith(service, { chain: 'POLYGON', address, tokenIds: ['1'] })
  const open = { apiKey, body: { clientAccess: true } }
  const { productId } = (await service.call('PATCH /product', open)).json.data
  const owners = Array.from({ length: wallets }, newAddress)
  const contract = { network: 'polygon-mainnet', address } as const
  ownedBy(service.world, contract, owners[0] as string, ['1'])
  const { playerToken } = await service.newPlayer(owners)
  const other = await service.newPlayer(owners.slice(0, 1))
  return {
    keyed: { apiKey, playerToken },
    single: { apiKey, playerToken: other.playerToken },
    client: { playerToken, query: { productId } },
  }
}

/** Sends a request again and again until it is refused, at most 20 times. */
async function drain(host: LambdaHost, sent: Sent): Promise<{ calls: number; refusal: Received }> {
  for (let calls = 0; calls < 20; calls += 1) {
    const answer = await invokeFunction(host, 'getRawMetadata', sent)
    if (answer.status !== 200) return { calls, refusal: answer }
  }
  throw new Error('the request is never refused')
}

const statusesOf = async (host: LambdaHost, sent: Sent, count: number) => {
  const statuses: number[] = []
  for (let call = 0; call < count; call += 1) {
    statuses.push((await invokeFunction(host, 'getRawMetadata', sent)).status)
  }
  return statuses
}

test('D47, D51: the indexer calls of games without an API key end at their share, while calls with the key go on', async () => {
  const host = service.newContainers(limits)
  const { keyed, single, client } = await reading(20)
  expect(await statusesOf(host, client, 1)).toEqual([200])
  // Calls with the key take nothing from the share. The second reserves as many calls as the first and makes one: the share
  // gets none of the others.
  for (const sent of [keyed, single]) expect(await statusesOf(host, sent, 1)).toEqual([200])
  const { calls, refusal } = await drain(host, client)
  expectProblem(refusal, 'rate_limited')
  expect(refusal.json.limit).toEqual({
    name: 'client_indexer_calls_by_day',
    count: 100,
    perSeconds: 86_400,
  })
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(calls).toBe(100 / 20 - 1)
  const another = service.newContainers(limits)
  expectProblem(await invokeFunction(another, 'getStructuredMetadata', client), 'rate_limited')
  expect(await statusesOf(host, keyed, 3)).toEqual([200, 200, 200])
  expectProblem(await invokeFunction(host, 'getRawMetadata', client), 'rate_limited')
  // Both together end at the limit of the product.
  const { calls: more, refusal: last } = await drain(host, keyed)
  expect([more, last.json.limit.name]).toEqual([1, 'indexer_calls_by_day'])
})

import { describe, expect, test } from 'vitest'
import { writeWebhookCursor } from '../../lib/contract/webhook-cursor.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const { call, newProduct } = service

const events = async (apiKey: string, query: Record<string, string> = {}) =>
  await call('GET /product/webhook-events', { apiKey, query })

/** The operation in containers of a deployment that follows Polygon. */
function following(variables: Record<string, string> = {}) {
  const host = service.newContainers({ FOLLOWED_CHAINS: 'POLYGON', ...variables })
  return async (apiKey: string, query: Record<string, string> = {}) =>
    await invokeFunction(host, 'getWebhookEvents', { apiKey, query })
}

/** A product with this many contracts. */
async function productWith(count: number, chain = 'POLYGON'): Promise<string> {
  const apiKey = await newProduct()
  for (let index = 0; index < count; index += 1) {
    await allowlist(call, apiKey, { contractAddress: newAddress(), chain, tokens: ['1'] })
  }
  return apiKey
}

describe('D119: get webhook events', () => {
  test('names the chains that are not followed, and begins now', async () => {
    const before = Date.now()
    const { json } = await events(await productWith(1))
    expect(json.data).toMatchObject({ events: [], notFollowed: ['POLYGON'] })
    const [since, chains] = JSON.parse(Buffer.from(json.data.cursor, 'base64url').toString())
    expect([since >= before, chains]).toEqual([true, []])
    expect((await events(await newProduct())).json.data.notFollowed).toEqual([])
  })

  test.each([
    [
      'a time before seven days',
      { since: new Date(Date.now() - 8 * 86_400_000).toISOString() },
      'since',
    ],
    ['a time of the future', { since: new Date(Date.now() + 60_000).toISOString() }, 'since'],
    [
      'a time beside a cursor',
      {
        since: new Date().toISOString(),
        cursor: writeWebhookCursor({ since: 1, chains: new Map() }),
      },
      'since',
    ],
  ])('refuses %s', async (_, query: Record<string, string>, path) => {
    const errors = expectProblem(await events(await newProduct(), query), 'invalid_request')
    expect(errors).toMatchObject([{ in: 'query', path }])
  })

  test('watches the contracts of the product, with one write in an hour', async () => {
    const [apiKey, read] = [await productWith(2), following()]
    await read(apiKey)
    expect(await service.countsOf(() => read(apiKey))).toEqual({
      ...{ GetItem: 1, Query: 1, BatchGetItem: 2 },
    })
    const other = await productWith(2)
    expect(await service.countsOf(() => read(other))).toMatchObject({ UpdateItem: 2 })
  })

  test('refuses a product with more contracts than the deployment permits, and watches none', async () => {
    const [apiKey, read] = [await productWith(2), following({ WEBHOOK_CONTRACTS: '1' })]
    const counts = await service.countsOf(async () => {
      expectProblem(await read(apiKey), 'too_many_webhook_contracts')
    })
    expect(counts).not.toHaveProperty('UpdateItem')
  })
})

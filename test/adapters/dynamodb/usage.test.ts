import { describe, expect, test } from 'vitest'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import {
  dynamoDailyUsages,
  dynamoUsageCounters,
  usageKey,
} from '../../../lib/adapters/dynamodb/usage-counters.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { Day, UsageCounts } from '../../../lib/domain/usage/usage.ts'
import { newProductId, startTable } from './stored-fixture.ts'

const { aws, items, refuse, requestsOf, table } = await startTable()
const counters = dynamoUsageCounters(table)
const usages = dynamoDailyUsages(table)

const today = '2026-11-22' as Day
const yesterday = '2026-11-21' as Day
const isRead = { isRead: true }
const notRead = { isRead: false }

async function newProduct(): Promise<ProductId> {
  const productId = newProductId()
  await items.put(productKey(productId), { name: 'Ember' })
  return productId
}

const counts = (calls: Record<string, number>, more: Partial<UsageCounts> = {}): UsageCounts => ({
  calls: new Map(Object.entries(calls)),
  indexerCalls: 0,
  userIds: new Set(),
  limited: new Map(),
  ...more,
})

const players = (first: number, count: number) =>
  new Set(Array.from({ length: count }, (_, index) => first + index))

const once = counts({ 'getProduct:success': 1 })
const list = (productId: ProductId, first = yesterday) =>
  usages.list(productId, { first, last: today })

const itemOf = (productId: ProductId, day = today) => items.get(usageKey(productId, day))

describe('D55: the usage of a product', () => {
  test('D55: the counts of a day add up, and each day has its own', async () => {
    const productId = await newProduct()
    const full = counts(
      { 'getRawMetadata:success': 2, 'getRawMetadata:rate_limited': 1 },
      { indexerCalls: 5, userIds: new Set([1, 2]), limited: new Map([['client_reads', 1]]) },
    )
    expect(await counters.add(productId, today, full, isRead)).toBe(true)
    const again = { ...full, userIds: new Set([2, 3]) }
    expect(await counters.add(productId, today, again, isRead)).toBe(true)
    await counters.add(productId, yesterday, once, isRead)
    const none = { players: 0, playersEstimated: false, limited: [] }
    expect(await list(productId)).toEqual([
      {
        day: yesterday,
        calls: [{ operation: 'getProduct', outcome: 'success', count: 1 }],
        indexerCalls: 0,
        ...none,
      },
      {
        day: today,
        calls: [
          { operation: 'getRawMetadata', outcome: 'rate_limited', count: 2 },
          { operation: 'getRawMetadata', outcome: 'success', count: 4 },
        ],
        indexerCalls: 10,
        players: 3,
        playersEstimated: false,
        limited: [{ limit: 'client_reads', count: 2 }],
      },
    ])
    expect(await list(productId, today)).toHaveLength(1)
    expect(await list(await newProduct())).toEqual([])
  })

  test('D55: one write; a product that the request has not read is read before', async () => {
    const productId = await newProduct()
    const some = counts({}, { userIds: players(1, 3) })
    const add = (options: { isRead: boolean }) => () =>
      counters.add(productId, today, some, options)
    expect(await requestsOf(add(isRead))).toEqual(['UpdateItem'])
    expect(await requestsOf(add(notRead))).toEqual(['GetItem', 'UpdateItem'])
  })

  test('D55: the usage of a day is deleted 91 days after the day', async () => {
    const productId = await newProduct()
    await counters.add(productId, today, once, isRead)
    const expected = Date.parse('2026-11-23T00:00:00Z') / 1000 + 91 * 24 * 3600
    expect((await itemOf(productId))?.['expiresAt']).toBe(expected)
  })
})

describe('D55: the distinct players', () => {
  test('D55: several containers count 255 players exactly', async () => {
    const productId = await newProduct()
    const containers = [dynamoUsageCounters(table), dynamoUsageCounters(table), counters]
    for (const [index, container] of containers.entries()) {
      const some = counts({}, { userIds: players(1 + index * 60, 135) })
      await container.add(productId, today, some, isRead)
    }
    expect(await list(productId, today)).toMatchObject([{ players: 255, playersEstimated: false }])
  })

  test('D55: of 20,000 players in four containers, an item keeps at most 512 digests', async () => {
    const productId = await newProduct()
    const containers = Array.from({ length: 4 }, () => dynamoUsageCounters(table))
    for (let first = 1; first <= 20_000; first += 500) {
      const container = containers[((first / 500) % 4) | 0]
      const some = counts({}, { userIds: players(first, 500) })
      await container?.add(productId, today, some, isRead)
      expect((await itemOf(productId))?.['players'].size).toBeLessThanOrEqual(512)
    }
    const [day] = await list(productId, today)
    expect(day?.playersEstimated).toBe(true)
    expect(Math.abs((day?.players ?? 0) / 20_000 - 1)).toBeLessThan(0.25)
  })

  test('D55: the digests of a player differ for each product and day', async () => {
    const [one, other] = [await newProduct(), await newProduct()]
    const player = counts({}, { userIds: new Set([1002]) })
    await counters.add(one, today, player, isRead)
    await counters.add(one, yesterday, player, isRead)
    await counters.add(other, today, player, isRead)
    const items = [await itemOf(one), await itemOf(one, yesterday), await itemOf(other)]
    const digests = items.flatMap((item) => [...(item?.['players'] ?? [])])
    expect(new Set(digests).size).toBe(3)
  })
})

describe('D55: a deleted product', () => {
  const ended = { name: 'Ember', endedAt: '2026-11-22T09:00:00.000Z' }

  test.each([
    ['after the deletion', items.remove],
    ['while it is deleted', (key: Key) => items.put(key, ended)],
  ])('D45, D55: its counts are dropped %s, and bring nothing back', async (_, change) => {
    const productId = await newProduct()
    await change(productKey(productId))
    expect(await counters.add(productId, today, once, notRead)).toBe(true)
    expect(await itemOf(productId)).toBeUndefined()
  })
})

describe('D55: faults', () => {
  test.each([
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
  ])('D55: a throttled write (%s) is not repeated, and is left for later', async (name) => {
    const productId = await newProduct()
    await counters.add(productId, today, once, isRead)
    refuse(name)
    const actions = await requestsOf(async () => {
      expect(await counters.add(productId, today, once, isRead)).toBe(false)
    })
    expect(actions).toEqual(['UpdateItem'])
    aws.interfere({})
    expect(await counters.add(productId, today, once, isRead)).toBe(true)
    expect((await list(productId, today))[0]?.calls).toMatchObject([{ count: 2 }])
  })

  test('D55: a write whose response is lost counts once', async () => {
    const productId = await newProduct()
    await counters.add(productId, today, once, isRead)
    aws.interfere({ onResponse: () => 'drop' })
    expect(await counters.add(productId, today, once, isRead)).toBe(true)
    aws.interfere({})
    expect((await list(productId, today))[0]?.calls).toMatchObject([{ count: 2 }])
  })

  test('D55: a throttled removal of digests drops no counts and repeats none', async () => {
    const productId = await newProduct()
    const some = (first: number) =>
      counts({ 'getProduct:success': 1 }, { userIds: players(first, 256) })
    for (const first of [1, 257]) {
      await dynamoUsageCounters(table).add(productId, today, some(first), isRead)
    }
    aws.interfere({
      onRequest: ({ body }) =>
        body.UpdateExpression?.startsWith('DELETE')
          ? { status: 400, body: { __type: 'x#ThrottlingException' } }
          : undefined,
    })
    const actions = await requestsOf(async () => {
      const container = dynamoUsageCounters(table)
      expect(await container.add(productId, today, some(513), isRead)).toBe(true)
    })
    expect(actions).toEqual(['UpdateItem', 'UpdateItem'])
    expect((await list(productId, today))[0]?.calls).toMatchObject([{ count: 3 }])
  })
})

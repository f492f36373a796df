import { beforeEach, describe, expect, test } from 'vitest'
import { productLimitsKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { dynamoProductUse } from '../../../lib/adapters/dynamodb/product-use.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { Limit } from '../../../lib/domain/limit/limit.ts'
import { costOf } from '../../../lib/domain/limit/limits.ts'
import { CallsSpent, type Reservation } from '../../../lib/domain/limit/reservation.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { newProductId, passSeconds, startTable } from './stored-fixture.ts'

const { aws, table, items, loseOnce, refuse, requestsOf } = await startTable()

const byMinute: Limit = { name: 'indexer_calls_by_minute', count: 20, perSeconds: 60 }
const byDay: Limit = { name: 'indexer_calls_by_day', count: 100, perSeconds: 86_400 }
const limits = { indexer: [byMinute, byDay] }

/** A container: what it knows of earlier requests. */
const newContainer = () => dynamoProductUse(table, limits)
type Container = ReturnType<typeof newContainer>

const countersOf = async (productId: ProductId) =>
  (await items.get(productLimitsKey(productId))) ?? {}

const begin = (container: Container, productId: ProductId, counters: Record<string, unknown>) =>
  container.reserveCalls(productId, Promise.resolve(storedProduct({ productId, counters })), {
    isClient: false,
  })

async function makeCalls({ take }: Reservation, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, take))
}

async function request(container: Container, productId: ProductId, calls: number): Promise<void> {
  const reservation = begin(container, productId, await countersOf(productId))
  await makeCalls(reservation, calls).finally(reservation.end)
}

async function countedBy(limit: Limit, productId: ProductId): Promise<number> {
  const state = Number((await countersOf(productId))[limit.name] ?? 0)
  return Math.max(0, Math.round((state - Date.now() * 1_000) / costOf(limit, 1)))
}

/**
 * Runs until no request to the table was sent twice. On a busy machine, the SDK repeats a write that takes 3 s, and calls
 * that are reserved twice are lost.
 */
async function withoutRepeats<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const before = aws.proxy.requests.length
    const result = await run()
    if (aws.proxy.requests.slice(before).every(({ attempt }) => attempt === 1)) return result
  }
}

beforeEach(() => void passSeconds(0))

describe('D78: reserving the indexer calls of a request', () => {
  test('D78: one write reserves as many calls as the request before it has made', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(container, productId, 7)
    const counters = await countersOf(productId)
    const actions = await requestsOf(async () => {
      await makeCalls(begin(container, productId, counters), 7)
    })
    expect(actions).toEqual(['UpdateItem'])
    expect(await countedBy(byMinute, productId)).toBe(14)
    expect(await countedBy(byDay, productId)).toBe(14)
  })

  test('D78: a request that asks nothing reserves nothing', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    expect(await requestsOf(async () => begin(container, productId, {}).end())).toEqual([])
  })

  test('D78: no more calls are reserved than both limits have left, and then the request is refused', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await expect(request(container, productId, 64)).rejects.toThrow(CallsSpent)
    expect(await countedBy(byMinute, productId)).toBe(20)
    const refusal = await request(newContainer(), productId, 1).catch((error) => error)
    expect(refusal).toBeInstanceOf(RateLimited)
    expect(refusal).toMatchObject({ limit: byMinute, retryAfterSeconds: 3 })
    for (let minute = 0; minute < 4; minute += 1) {
      passSeconds(60)
      await expect(request(newContainer(), productId, 64)).rejects.toThrow(CallsSpent)
    }
    passSeconds(60)
    await expect(request(newContainer(), productId, 1)).rejects.toMatchObject({ limit: byDay })
  })

  test('D78: a request that has run out of calls is told when as many are left again', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(newContainer(), productId, 15)
    const spent = await request(container, productId, 8).catch((error) => error)
    expect(spent).toMatchObject({ limit: byMinute, retryAfterSeconds: 6 * 3 })
  })

  test('D78: calls that were not made are given back in the same write as the next request', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(container, productId, 12)
    await request(container, productId, 1)
    // As many as before were expected, and only 8 were left.
    expect(await countedBy(byMinute, productId)).toBe(20)
    const counters = await countersOf(productId)
    const actions = await requestsOf(() => makeCalls(begin(container, productId, counters), 1))
    expect(actions).toEqual(['UpdateItem'])
    expect(await countedBy(byMinute, productId)).toBe(14)
    expect(await countedBy(byDay, productId)).toBe(14)
  })

  test('D78: a product with calls to give back is not refused before it gives them back', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(container, productId, 10)
    await request(container, productId, 1)
    const permit = async (by: Container) => {
      const product = storedProduct({ productId, counters: await countersOf(productId) })
      await by.permit(product, { isClient: false })
    }
    // The second request has reserved as many calls as the first one, and made one.
    expect(await countedBy(byMinute, productId)).toBe(20)
    await expect(permit(newContainer())).rejects.toThrow(RateLimited)
    await permit(container)
    await request(container, productId, 1)
  })

  test('D78: calls of a container that has ended are counted until time has paid them back', async () => {
    const productId = newProductId()
    const crashed = begin(newContainer(), productId, {})
    await makeCalls(crashed, 20)
    await expect(request(newContainer(), productId, 1)).rejects.toThrow(RateLimited)
    passSeconds(3)
    await request(newContainer(), productId, 1)
  })

  test('D78: counters that changed since they were read are read again', async () => {
    const productId = newProductId()
    const counters = await countersOf(productId)
    await request(newContainer(), productId, 1)
    const actions = await requestsOf(() => makeCalls(begin(newContainer(), productId, counters), 1))
    expect(actions).toEqual(['UpdateItem', 'GetItem', 'UpdateItem'])
    expect(await countedBy(byMinute, productId)).toBe(2)
  })

  test.each([0, 5, 19])(
    'D78: 40 containers that reserve at once beside %i calls get the rest together',
    async (before) => {
      const { made, counted } = await withoutRepeats(async () => {
        const productId = newProductId()
        if (before > 0) await request(newContainer(), productId, before)
        let made = 0
        const counters = await countersOf(productId)
        const requests = Array.from({ length: 40 }, async (_, index) => {
          const { take } = begin(newContainer(), productId, counters)
          const calls = Array.from({ length: 1 + (index % 8) }, async () => {
            await take()
            made += 1
          })
          await Promise.allSettled(calls)
        })
        await Promise.all(requests)
        return { made, counted: await countedBy(byMinute, productId) }
      })
      expect({ made, counted }).toEqual({ made: 20 - before, counted: 20 })
    },
  )

  test('D47, D78: a throttled table refuses nobody, and what it did not count is not given back', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(newContainer(), productId, 10)
    const before = await countedBy(byMinute, productId)
    refuse('ThrottlingException', 'UpdateItem')
    await request(container, productId, 1)
    aws.interfere({})
    expect(await countedBy(byMinute, productId)).toBe(before)
    await request(container, productId, 1)
    expect(await countedBy(byMinute, productId)).toBe(before + 1)
  })

  test('D78: calls are given back once, also if the response to the write is lost', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    await request(container, productId, 5)
    await request(container, productId, 1)
    const before = await countedBy(byMinute, productId)
    const lost = loseOnce('UpdateItem')
    await request(container, productId, 1)
    aws.interfere({})
    expect(lost()).toBe(1)
    // Four of the five calls that the second request had reserved, for the one of the third.
    expect(await countedBy(byMinute, productId)).toBe(before - 3)
  })
})

describe('D153: half of the indexer calls of a product', () => {
  test('D153: is left as long as at most half of each limit is spent, which one read says', async () => {
    const [container, productId] = [newContainer(), newProductId()]
    expect(await requestsOf(() => container.hasHalfLeft(productId))).toEqual(['GetItem'])
    expect(await container.hasHalfLeft(productId)).toBe(true)
    await container.add(productId, 10)
    expect(await container.hasHalfLeft(productId)).toBe(true)
    await container.add(productId, 1)
    expect(await container.hasHalfLeft(productId)).toBe(false)
    passSeconds(60)
    expect(await container.hasHalfLeft(productId)).toBe(true)
    await container.add(productId, 40)
    passSeconds(120)
    expect(await container.hasHalfLeft(productId)).toBe(false)
  })

  test('D153: is left without limits, which nobody reads', async () => {
    const unlimited = dynamoProductUse(table, {})
    const productId = newProductId()
    expect(await requestsOf(() => unlimited.hasHalfLeft(productId))).toEqual([])
    expect(await unlimited.hasHalfLeft(productId)).toBe(true)
  })
})

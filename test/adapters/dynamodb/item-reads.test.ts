import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readItem, readItemOnce } from '../../../lib/adapters/dynamodb/item-reads.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { startTable } from './stored-fixture.ts'

const { aws, items, processOnly, requestsOf, table } = await startTable()

const newKey = (): Key => ({ pk: `ITEM#${randomUUID()}`, sk: 'ITEM' })
const [one, two, missing] = [newKey(), newKey(), newKey()]

beforeAll(async () => {
  for (const [index, key] of [one, two].entries()) await items.put(key, { index })
})

describe('reads of items', () => {
  test('one item is read with GetItem', async () => {
    expect(await requestsOf(() => readItem(table, one))).toEqual(['GetItem'])
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
    expect(await readItem(table, one)).toEqual({ ...one, index: 0 })
    expect(await readItem(table, missing)).toBeUndefined()
  })

  test('reads of one moment are one request, in which each key is once', async () => {
    const results: unknown[] = []
    const requests = await requestsOf(async () => {
      const reads = [readItem(table, one), readItemOnce(table, two), readItem(table, missing)]
      results.push(...(await Promise.all([...reads, readItem(table, one)])))
    })
    expect(requests).toEqual(['BatchGetItem of 3'])
    expect(aws.proxy.requests.at(-1)?.body.RequestItems[table.name].ConsistentRead).toBe(true)
    const item = { ...one, index: 0 }
    expect(results).toEqual([item, { ...two, index: 1 }, undefined, item])
  })

  test('so are those that begin when a promise continues at this moment', async () => {
    const late = async () => {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
      return await readItem(table, two)
    }
    const requests = await requestsOf(() => Promise.all([readItem(table, one), late()]))
    expect(requests).toEqual(['BatchGetItem of 2'])
  })

  test('reads of two requests are not joined, and each request counts its own', async () => {
    const read = (key: Key) =>
      downstreamCalls.during(async () => {
        await readItem(table, key)
        return downstreamCalls.counts().dynamodbCalls
      })
    const requests = await requestsOf(async () => {
      expect(await Promise.all([read(one), read(two)])).toEqual([1, 1])
    })
    expect(requests).toEqual(['GetItem', 'GetItem'])
  })

  test('more than 100 items are read in batches of at most 100', async () => {
    const keys = Array.from({ length: 150 }, newKey)
    const requests = await requestsOf(() => Promise.all(keys.map((key) => readItem(table, key))))
    expect(requests.sort()).toEqual(['BatchGetItem of 100', 'BatchGetItem of 50'])
  })
})

describe('of items that DynamoDB does not process', () => {
  test('nothing waits for an item that is read once', async () => {
    processOnly([one])
    const requests = await requestsOf(async () => {
      const reads = [readItem(table, one), readItemOnce(table, two)]
      expect(await Promise.all(reads)).toEqual([{ ...one, index: 0 }, undefined])
    })
    expect(requests).toEqual(['BatchGetItem of 2'])
  })

  test('only the others are asked for again', async () => {
    processOnly([], [one])
    const requests = await requestsOf(async () => {
      // One is read once by one reader, and needed by another.
      const reads = [readItemOnce(table, one), readItem(table, one), readItemOnce(table, two)]
      const item = { ...one, index: 0 }
      expect(await Promise.all(reads)).toEqual([item, item, undefined])
    })
    expect(requests).toEqual(['BatchGetItem of 2', 'BatchGetItem of 1'])
  })

  test('reads that nothing needs are sent once', async () => {
    aws.interfere({ onRequest: () => ({ status: 500, body: {} }) })
    for (const keys of [[one], [one, two]]) {
      const requests = await requestsOf(async () => {
        const items = await Promise.all(keys.map((key) => readItemOnce(table, key)))
        expect(items).toEqual(keys.map(() => undefined))
      })
      expect(requests).toHaveLength(1)
    }
  })
})

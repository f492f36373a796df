import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { apiKeyDigest, dynamoApiKeys, newKey } from '../../../lib/adapters/dynamodb/api-keys.ts'
import { eventKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductDeletions } from '../../../lib/adapters/dynamodb/product-deletions.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductKeys } from '../../../lib/adapters/dynamodb/product-keys.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { parseApiKey } from '../../../lib/domain/product/api-key-text.ts'
import type { ApiKey } from '../../../lib/domain/product/product.ts'
import { register } from '../../../lib/domain/product/register-product.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { onlyProduct } from '../../support/memory/memory.ts'
import { newProductId, passSeconds, startTable } from './stored-fixture.ts'

const { aws, items, requestsOf, table } = await startTable()
const product = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
const events = dynamoProductEvents(table)
const registered = (fields: typeof product, apiKey: ApiKey) =>
  register(fields, apiKey, { products: dynamoProducts(table), events })
const apiKeys = dynamoApiKeys(table)
const productAccess = dynamoProductAccess(table)
const newApiKey = () => randomUUID() as string as ApiKey

describe('products and API keys', () => {
  const read = async (apiKey: ApiKey) => {
    const { productId = newProductId() } = (await apiKeys.referenceOf(apiKey)) ?? {}
    return (await productAccess.get(productId))?.product
  }

  test('D9: the key itself is not stored in the table', async () => {
    const apiKey = newApiKey()
    await registered(product, apiKey)
    expect(await items.with(apiKey)).toEqual([])
    expect(await items.with(apiKeyDigest(apiKey))).not.toEqual([])
  })

  test('D9: an upper-case UUID is the same key; UUIDs of other versions are not keys', () => {
    const apiKey = newApiKey()
    expect(parseApiKey(apiKey.toUpperCase())).toBe(apiKey)
    const [v1, nil] = [
      'f47ac10b-58cc-1372-a567-0e02b2c3d479',
      '00000000-0000-0000-0000-000000000000',
    ]
    for (const text of [v1, nil, `{${apiKey}}`, ` ${apiKey}`, apiKey.replaceAll('-', ''), '']) {
      expect(parseApiKey(text)).toBeUndefined()
    }
  })

  test('D46: the product of a key is cached without an age limit, an invalid key never', async () => {
    const [good, bad] = [newApiKey(), newApiKey()]
    const memory = dynamoApiKeys(table)
    await registered(product, good)
    const reads = (apiKey: ApiKey) => requestsOf(() => memory.referenceOf(apiKey))
    expect([await reads(bad), await reads(bad)]).toEqual([['GetItem'], ['GetItem']])
    expect([await reads(good), await reads(good)]).toEqual([['GetItem'], []])
    passSeconds(30 * 24 * 3600)
    expect(await reads(good)).toEqual([])
  })

  test.each(['API_KEY', 'PROFILE'])(
    'D10, D86: a registration that ends before the write of its %s leaves no product, and no valid key',
    async (sk) => {
      const apiKey = newApiKey()
      const name = randomUUID() as string
      aws.interfere({
        onRequest: ({ body }) =>
          body.Item?.sk?.S === sk ? { status: 400, body: { __type: 'x#Killed' } } : undefined,
      })
      await expect(registered({ ...product, name }, apiKey)).rejects.toThrow(ServiceUnavailable)
      expect(await read(apiKey)).toBeUndefined()
      expect(await items.with(name)).toEqual([])
    },
  )
})

const at = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) })
const unbinding = { action: 'unbindContract', keyId: 'key' } as const
const idsOf = (listed?: { eventId: string }[]) => listed?.map(({ eventId }) => eventId)

test('D45: what is stored of a product is deleted over several pages of DynamoDB', async () => {
  const productId = newProductId()
  const keys = ['1', '2', '3', '4', '5'].map((id) => eventKey(productId, id))
  for (const key of keys) await items.put(key, {})
  // As if two items were the 1 MB of a page.
  aws.interfere({ extend: ({ action }) => action === 'Query' && { Limit: 2 } })
  const product = { productId, keys: [] } as unknown as StoredProduct
  const swept = dynamoProductDeletions(table).sweep(product, Number.POSITIVE_INFINITY)
  expect(await swept).toEqual({ isDone: true, apiKeys: 0, items: 5 })
})

test('D45: a sweep that dies before any of its writes leaves a product whose repeated sweep finds every key', async () => {
  const deletions = dynamoProductDeletions(table)
  let writes = 0
  for (let failing = 1; writes === failing - 1; failing += 1) {
    const productId = await registered(product, newApiKey())
    const key = { ...newKey().stored, scope: 'READ', label: 'Servers', createdAt: '' } as const
    await dynamoProductKeys(table).store(productId, key)
    const stored = (await productAccess.get(productId)) as StoredProduct
    const sweep = () => deletions.sweep(stored, Number.POSITIVE_INFINITY)
    writes = 0
    aws.interfere({
      onRequest({ action }) {
        if (action === 'BatchWriteItem') writes += 1
        return writes < failing ? undefined : { status: 400, body: { __type: 'x#Killed' } }
      },
    })
    await sweep().catch(() => undefined)
    aws.interfere({})
    await sweep()
    expect(await items.with(productId)).toMatchObject([{ sk: 'PROFILE' }])
  }
  // The listed keys, the keys that only have a record, and everything else.
  expect(writes).toBe(3)
})

test('D45: a sweep without time reads nothing, and is not done', async () => {
  const sweep = async () => {
    const swept = await dynamoProductDeletions(table).sweep(onlyProduct(), Date.now())
    expect(swept).toEqual({ isDone: false, apiKeys: 0, items: 0 })
  }
  expect(await requestsOf(sweep)).toEqual([])
})

describe('D49: the events of a product', () => {
  test('D49: an event is listed with its time and fields, unsettled and settled', async () => {
    const productId = newProductId()
    at('2026-02-03T04:05:06.789Z')
    const about = { chain: 'BSC', contractAddress: addressOf(3), count: 7 } as const
    const eventId = await events.begin(productId, { ...unbinding, ...about })
    const begun = { eventId, at: '2026-02-03T04:05:06.789Z', ...unbinding, ...about }
    expect(await events.list(productId, { limit: 10 })).toEqual([begun])
    await events.settle(productId, eventId, 'failed')
    expect(await events.list(productId, { limit: 10 })).toEqual([{ ...begun, outcome: 'failed' }])
    await events.settle(productId, eventId, 'done', 5)
    const done = { ...begun, outcome: 'done', count: 5 }
    expect(await events.list(productId, { limit: 10 })).toEqual([done])
  })

  test('D49: the newest event is first, and pages make up the whole', async () => {
    const productId = newProductId()
    const ids: string[] = []
    for (const second of ['01', '02', '03', '10', '59']) {
      at(`2026-02-03T04:05:${second}.000Z`)
      ids.unshift(await events.begin(productId, unbinding))
    }
    expect(idsOf(await events.list(productId, { limit: 10 }))).toEqual(ids)
    expect(idsOf(await events.list(productId, { limit: 2 }))).toEqual(ids.slice(0, 2))
    const rest = await events.list(productId, { limit: 10, after: ids[1] as string })
    expect(idsOf(rest)).toEqual(ids.slice(2))
    expect(await events.list(productId, { limit: 10, after: ids[4] as string })).toEqual([])
  })

  test('D77: the event that a page goes on after must be one of the product', async () => {
    const [productId, other] = [newProductId(), newProductId()]
    at('2026-02-03T04:05:06.000Z')
    await events.begin(other, unbinding)
    at('2026-02-03T04:05:07.000Z')
    const eventId = await events.begin(productId, unbinding)
    for (const after of [eventId, `ffffffff${eventId.slice(8)}`]) {
      expect(await events.list(other, { limit: 1, after })).toBeUndefined()
    }
  })

  test('D77: no event is before one that is not kept any more, which takes no request', async () => {
    const productId = newProductId()
    at('2026-02-03T00:00:00.000Z')
    const after = await events.begin(productId, unbinding)
    at('2027-03-09T23:59:59.999Z')
    expect(await events.list(productId, { limit: 10, after })).toEqual([])
    expect(await events.list(newProductId(), { limit: 10, after })).toBeUndefined()
    at('2027-03-10T00:00:00.001Z')
    const first = '00000000-0000-7000-8000-000000000000'
    const lists = async () => {
      expect(await events.list(productId, { limit: 10, after })).toEqual([])
      expect(await events.list(newProductId(), { limit: 10, after: first })).toEqual([])
    }
    expect(await requestsOf(lists)).toEqual([])
  })

  test('D49: an event is listed for 400 days, and then DynamoDB deletes it', async () => {
    const productId = newProductId()
    at('2026-02-03T00:00:00.000Z')
    const eventId = await events.begin(productId, unbinding)
    at('2027-03-09T23:59:59.000Z')
    expect(idsOf(await events.list(productId, { limit: 10 }))).toEqual([eventId])
    at('2027-03-10T00:00:01.000Z')
    expect(await events.list(productId, { limit: 10 })).toEqual([])
    const stored = await items.get(eventKey(productId, eventId))
    expect(stored?.['expiresAt']).toBe(Date.parse('2027-03-10T00:00:00.000Z') / 1000)
  })

  test('D49: settling a deleted event does not bring it back', async () => {
    const productId = newProductId()
    await events.settle(productId, '019b789d-7640-7c1e-8a57-2f8d6f0b7c11', 'done', 3)
    expect(await events.list(productId, { limit: 10 })).toEqual([])
  })

  test('D49: an event id is a UUID of version 7 (RFC 9562)', async () => {
    at('2026-02-03T04:05:06.789Z')
    const eventId = await events.begin(newProductId(), unbinding)
    const time = Date.parse('2026-02-03T04:05:06.789Z').toString(16).padStart(12, '0')
    const pattern = `^${time.slice(0, 8)}-${time.slice(8)}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`
    expect(eventId).toMatch(new RegExp(pattern))
  })
})

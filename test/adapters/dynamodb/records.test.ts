import { randomInt, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { apiKeyDigest, dynamoApiKeys } from '../../../lib/adapters/dynamodb/api-keys.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { parseApiKey } from '../../../lib/domain/product/api-key-text.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { register } from '../../../lib/domain/product/register-product.ts'
import { ScanCommand } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const product = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
const ports = { products: dynamoProducts(table), events: dynamoProductEvents(table) }
const registered = (fields: typeof product, apiKey: ApiKey) => register(fields, apiKey, ports)
const apiKeys = dynamoApiKeys(table)
const productAccess = dynamoProductAccess(table)
const players = dynamoPlayers(table)

afterEach(() => {
  aws.interfere({})
  vi.useRealTimers()
})

/** Moves the clock, and no other timer, forward by this number of seconds. */
function waitSeconds(seconds: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
}

const newApiKey = () => randomUUID() as string as ApiKey
const newProductId = () => randomUUID() as string as ProductId

describe('products and API keys', () => {
  const read = async (apiKey: ApiKey) => {
    const { productId = newProductId() } = (await apiKeys.referenceOf(apiKey)) ?? {}
    return (await productAccess.get(productId))?.product
  }

  test('4.1, 4.2: a product is found by its key', async () => {
    const [one, other] = [newApiKey(), newApiKey()]
    const full = { ...product, description: 'A game of kites', website: 'www.example.com' }
    await registered(full, one)
    await registered(product, other)
    expect(await read(one)).toEqual(full)
    expect(await read(other)).toEqual(product)
    expect(await productAccess.get(newProductId())).toBeUndefined()
    expect(await apiKeys.referenceOf(newApiKey())).toBeUndefined()
  })

  test('D9: the key itself is not stored in the table', async () => {
    const apiKey = newApiKey()
    await registered(product, apiKey)
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }))
    expect(JSON.stringify(Items)).not.toContain(apiKey)
    expect(JSON.stringify(Items)).toContain(apiKeyDigest(apiKey))
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
    const reads = async (apiKey: ApiKey) => {
      const before = aws.proxy.count('GetItem')
      await memory.referenceOf(apiKey)
      return aws.proxy.count('GetItem') - before
    }
    expect([await reads(bad), await reads(bad)]).toEqual([1, 1])
    expect([await reads(good), await reads(good)]).toEqual([1, 0])
    waitSeconds(30 * 24 * 3600)
    expect(await reads(good)).toBe(0)
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
      const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }))
      expect(JSON.stringify(Items)).not.toContain(name)
    },
  )
})

describe('D23: players', () => {
  const stored = (userId: number) => players.get({ userId, issuedAt: 0 })

  const newPlayer = () => ({
    userId: randomInt(2 ** 47),
    username: '\u{1f3ee} neo',
    wallets: [addressOf(1), addressOf(2)],
  })

  test('D23: are stored as in the latest user JWT', async () => {
    const player = newPlayer()
    expect(await stored(player.userId)).toBeUndefined()
    await players.record(player, 100)
    expect(await stored(player.userId)).toEqual(player)
    const renamed = { ...player, username: 'trinity', wallets: [] }
    await players.record(renamed, 101)
    expect(await stored(player.userId)).toEqual(renamed)
  })

  test('D23: an older user JWT overwrites nothing; a user JWT of the same second overwrites', async () => {
    const player = newPlayer()
    await players.record(player, 100)
    await players.record({ ...player, username: 'older' }, 99)
    expect(await stored(player.userId)).toEqual(player)
    await players.record({ ...player, username: 'same' }, 100)
    expect((await stored(player.userId))?.username).toBe('same')
  })

  test('D23: the latest user JWT is stored, whatever the order of arrival', async () => {
    const player = newPlayer()
    const issued = [5, 3, 8, 1, 9, 2]
    await Promise.all(issued.map((at) => players.record({ ...player, username: `${at}` }, at)))
    expect((await stored(player.userId))?.username).toBe('9')
  })

  test('D21: the largest user id', async () => {
    const player = { ...newPlayer(), userId: Number.MAX_SAFE_INTEGER }
    await players.record(player, 0)
    expect(await stored(Number.MAX_SAFE_INTEGER)).toEqual(player)
  })
})

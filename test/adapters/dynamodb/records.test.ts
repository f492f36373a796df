import { randomInt, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { apiKeyDigest, dynamoApiKeys } from '../../../lib/adapters/dynamodb/api-keys.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { dynamoRefreshes } from '../../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import { parseApiKey } from '../../../lib/domain/product/api-key-text.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { register } from '../../../lib/domain/product/register-product.ts'
import type { RefreshState } from '../../../lib/domain/refresh/refresh-state.ts'
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
const refreshes = dynamoRefreshes(table)

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
  test('4.1, 4.2: a product is found by its key', async () => {
    const [one, other] = [newApiKey(), newApiKey()]
    const full = { ...product, description: 'A game of kites', website: 'www.example.com' }
    await registered(full, one)
    await registered(product, other)
    const read = async (apiKey: ApiKey) => {
      const { productId = newProductId() } = (await apiKeys.referenceOf(apiKey)) ?? {}
      return (await productAccess.get(productId))?.product
    }
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

  test('D10: a crash between the two writes leaves no valid key', async () => {
    const apiKey = newApiKey()
    aws.interfere({
      onRequest: ({ body }) =>
        body.Item?.sk?.S === 'API_KEY' ? { status: 400, body: { __type: 'x#Killed' } } : undefined,
    })
    await expect(registered(product, apiKey)).rejects.toThrow(ServiceUnavailable)
    expect(await apiKeys.referenceOf(apiKey)).toBeUndefined()
  })
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

describe('D31: refreshes', () => {
  const contract = {
    chain: 'BSC',
    address: addressOf(1),
    bindingId: 'binding' as BindingId,
  } as const
  const done = { checked: 1, changed: 0, failed: 0, pending: 0 }
  const at = (number: number) => ({ position: `${number}` as TokenId })

  async function begun() {
    const productId = newProductId()
    const state = (await refreshes.start(productId, contract)) as RefreshState
    const get = () => refreshes.get(productId, contract)
    const begin = () => refreshes.start(productId, contract)
    const advance = (from: RefreshState, to: RefreshState) =>
      refreshes.advance(productId, contract, from, to)
    return { productId, state, get, begin, advance }
  }

  test('D31: start without results, separately for each product, contract and chain', async () => {
    const { productId, state, get, begin } = await begun()
    expect(state).toEqual({
      refreshId: expect.any(String),
      bindingId: contract.bindingId,
      refreshedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      checked: 0,
      changed: 0,
      failed: 0,
    })
    expect(await get()).toEqual(state)
    expect(await begin()).toBeUndefined()
    expect(await refreshes.start(productId, { ...contract, chain: 'POLYGON' })).toBeDefined()
    expect(await refreshes.start(newProductId(), contract)).toBeDefined()
  })

  test('D47: connecting the contract again does not allow a new refresh before its time', async () => {
    const { productId, state, get, advance } = await begun()
    const again = { ...contract, bindingId: 'another' as BindingId }
    await advance(state, { ...state, ...done })
    expect(await refreshes.start(productId, again)).toBeUndefined()
    waitSeconds(15 * 60)
    const anew = await refreshes.start(productId, again)
    expect(anew?.refreshId).not.toBe(state.refreshId)
    expect(await get()).toEqual(anew)
  })

  test('D31: of eight simultaneous starts one succeeds', async () => {
    const productId = newProductId()
    const tries = Array.from({ length: 8 }, () => refreshes.start(productId, contract))
    expect((await Promise.all(tries)).filter((state) => state !== undefined)).toHaveLength(1)
  })

  test('D31: a reported refresh prevents the next for 15 minutes', async () => {
    const { state, begin, advance } = await begun()
    await advance(state, { ...state, ...done })
    waitSeconds(14 * 60 + 55)
    expect(await begin()).toBeUndefined()
    waitSeconds(6)
    const next = await begin()
    expect(next?.refreshId).not.toBe(state.refreshId)
    expect(next).not.toHaveProperty('pending')
  })

  test('D31: a refresh without a report prevents the next for 60 s', async () => {
    const { begin } = await begun()
    waitSeconds(55)
    expect(await begin()).toBeUndefined()
    waitSeconds(6)
    expect(await begin()).toBeDefined()
  })

  test('D31: an abandoned refresh allows the next at once, and abandons no other refresh', async () => {
    const { productId, state, get, begin } = await begun()
    await refreshes.abandon(productId, contract, { ...state, refreshId: randomUUID() })
    expect(await get()).toEqual(state)
    await refreshes.abandon(productId, contract, state)
    expect(await get()).toBeUndefined()
    expect(await begin()).toBeDefined()
  })

  test('D38: the next refresh knows what failed refreshes left, until one has checked all NFTs', async () => {
    const { productId, state, get, begin, advance } = await begun()
    const checked = { ...state, ...at(5), pending: 3 }
    await advance(state, checked)
    waitSeconds(15 * 60)
    const second = (await begin()) as RefreshState
    expect(second.unsettled).toEqual({ since: state.refreshedAt, after: at(5).position })
    expect(await get()).toEqual(second)
    await refreshes.abandon(productId, contract, second)
    const third = (await begin()) as RefreshState
    expect(third.unsettled).toEqual(second.unsettled)
    expect(await get()).toEqual(third)
    await advance(third, { ...third, ...at(9), pending: 0 })
    waitSeconds(15 * 60)
    expect(await begin()).not.toHaveProperty('unsettled')
  })

  test('a refresh advances only from its current position', async () => {
    const { state, get, advance } = await begun()
    const [first, second] = [
      { ...state, ...done, ...at(5) },
      { ...state, ...done, ...at(9) },
    ]
    expect(await advance(first, second)).toBe(false)
    expect(await advance(state, first)).toBe(true)
    expect(await advance(state, second)).toBe(false)
    expect(await get()).toEqual(first)
    expect(await advance(first, second)).toBe(true)
    expect(await advance({ ...second, refreshId: randomUUID() }, first)).toBe(false)
    expect(await get()).toEqual(second)
  })

  test('of eight simultaneous deliveries at the same position one advances', async () => {
    const { state, advance } = await begun()
    const tries = Array.from({ length: 8 }, (_, index) =>
      advance(state, { ...state, ...at(index) }),
    )
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  })

  test('a lost response does not make a start fail because of its own refresh', async () => {
    const index = aws.proxy.count('PutItem')
    aws.interfere({
      onResponse: (request) =>
        request.action === 'PutItem' && request.index === index ? 'drop' : undefined,
    })
    expect((await begun()).state).toBeDefined()
    expect(aws.proxy.count('PutItem') - index).toBe(2)
  })
})

import { randomUUID } from 'node:crypto'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { readItem } from '../../../lib/adapters/dynamodb/item-reads.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'
import { startTable } from './stored-fixture.ts'

const { aws, table, items, processOnly, requestsOf, sentBy } = await startTable()
const allowedTokenIds = dynamoAllowedTokenIds(table)

const newBindingId = () => randomUUID() as string as BindingId
const tokenIds = (...numbers: (number | bigint)[]) => numbers.map((id) => `${id}` as TokenId)
const firstTokenIds = (count: number) => tokenIds(...Array.from({ length: count }).keys())

const inTime = { until: Number.POSITIVE_INFINITY }

describe('allowed token identifiers', () => {
  const largest = 2n ** 256n - 1n

  test('D18: are listed in numeric order, after any number, up to a limit', async () => {
    const bindingId = newBindingId()
    const ordered = tokenIds(0, 2, 9, 10, 100, 2n ** 64n, largest)
    await allowedTokenIds.add(bindingId, ordered.toReversed())
    const list = (limit: number, after?: bigint) => {
      const range = after === undefined ? {} : { after: `${after}` as TokenId }
      return allowedTokenIds.list(bindingId, { limit, ...range })
    }
    expect(await list(100)).toEqual(ordered)
    expect(await list(3)).toEqual(ordered.slice(0, 3))
    expect(await list(100, 9n)).toEqual(ordered.slice(3))
    expect(await list(100, 5n)).toEqual(ordered.slice(2))
    expect(await list(100, largest)).toEqual([])
    expect(await list(7)).toEqual(ordered)
    expect(await allowedTokenIds.count(bindingId, inTime)).toBe(7)
    expect(await allowedTokenIds.count(bindingId, { after: '9' as TokenId, ...inTime })).toBe(4)
  })

  test('Budget: 1,000 NFTs are 40 BatchWrites, in parallel', async () => {
    const sent: unknown[] = []
    const { promise: areAllSent, resolve } = Promise.withResolvers<void>()
    const send: typeof table.client.send = async (command) => {
      sent.push(command)
      if (sent.length === 40) resolve()
      await areAllSent
      return {} as never
    }
    const watched = dynamoAllowedTokenIds({ ...table, client: { ...table.client, send } })
    await watched.add(newBindingId(), firstTokenIds(1_000))
    expect(sent).toHaveLength(40)
  })

  test('D18: are listed completely, and counted within a time limit, over several pages of DynamoDB', async () => {
    const bindingId = newBindingId()
    await allowedTokenIds.add(bindingId, firstTokenIds(250))
    // As if 100 items were the 1 MB of a page.
    aws.interfere({ extend: ({ body: { Limit = 100 } }) => ({ Limit: Math.min(Limit, 100) }) })
    const list = async (limit: number) => await allowedTokenIds.list(bindingId, { limit })
    expect(await list(1_000)).toEqual(firstTokenIds(250))
    expect(await list(150)).toEqual(firstTokenIds(150))
    expect(await allowedTokenIds.count(bindingId, inTime)).toBe(250)
    expect(await allowedTokenIds.count(bindingId, { until: Date.now() })).toBe(100)
    expect(await requestsOf(() => list(100))).toEqual(['Query'])
  })

  test('D17: are stored once, even if added twice or by several callers at the same time', async () => {
    const bindingId = newBindingId()
    const lists = [firstTokenIds(40), firstTokenIds(60), firstTokenIds(50)]
    await Promise.all(lists.map((list) => allowedTokenIds.add(bindingId, list)))
    expect(await allowedTokenIds.list(bindingId, { limit: 100 })).toEqual(firstTokenIds(60))
  })

  test('D20: are removed if present, and counted once for simultaneous callers', async () => {
    const bindingId = newBindingId()
    await allowedTokenIds.add(bindingId, firstTokenIds(30))
    const removals = [1, 2, 3].map(() => allowedTokenIds.remove(bindingId, tokenIds(3, 5, 7, 99)))
    expect((await Promise.all(removals)).reduce((sum, count) => sum + count)).toBe(3)
    expect(await allowedTokenIds.count(bindingId, inTime)).toBe(27)
  })

  test('are looked up with one consistent read for each 100, without duplicates', async () => {
    const [bindingId, other] = [newBindingId(), newBindingId()]
    await allowedTokenIds.add(bindingId, firstTokenIds(150))
    await allowedTokenIds.add(other, tokenIds(500))
    const entries = firstTokenIds(250).map((tokenId) => ({ bindingId, tokenId }))
    entries.push(
      ...entries.slice(0, 50),
      ...tokenIds(1, 500).map((tokenId) => ({ bindingId: other, tokenId })),
    )
    let allowed: typeof entries = []
    const ask = async () => {
      allowed = await allowedTokenIds.findAllowed(entries)
    }
    expect((await requestsOf(ask)).toSorted()).toEqual([
      ...['BatchGetItem of 100', 'BatchGetItem of 100', 'BatchGetItem of 52'],
    ])
    expect(allowed).toHaveLength(150 + 50 + 1)
    expect(allowed.at(-1)).toEqual({ bindingId: other, tokenId: '500' })
    expect(aws.proxy.requests.at(-1)?.body.RequestItems.table.ConsistentRead).toBe(true)
    expect(await requestsOf(() => allowedTokenIds.findAllowed([]))).toEqual([])
  })

  test('D19: a sweep deletes all of one connection, and nothing else', async () => {
    const [bindingId, other] = [newBindingId(), newBindingId()]
    await allowedTokenIds.add(bindingId, firstTokenIds(1_100))
    await allowedTokenIds.add(other, firstTokenIds(3))
    expect(await allowedTokenIds.sweep(bindingId, Date.now() - 1)).toMatchObject({ isDone: false })
    expect(await allowedTokenIds.count(bindingId, inTime)).toBe(1_100)
    expect(await allowedTokenIds.sweep(bindingId, Date.now() + 10_000)).toMatchObject({
      isDone: true,
    })
    expect(await items.with(bindingId)).toEqual([])
    expect(await allowedTokenIds.count(other, inTime)).toBe(3)
  })

  test('items that DynamoDB leaves unprocessed are retried alone', async () => {
    let isFirst = true
    aws.interfere({
      onResponse: ({ body }) => {
        if (!isFirst) return undefined
        isFirst = false
        const rest = body.RequestItems[table.name].slice(20)
        return { status: 200, body: { UnprocessedItems: { [table.name]: rest } } }
      },
    })
    const sent = await sentBy(() => allowedTokenIds.add(newBindingId(), firstTokenIds(25)))
    const sizes = sent.map(({ body }) => body.RequestItems[table.name].length)
    expect(sizes).toEqual([25, 5])
  })

  test('D3: an error of the table is service_unavailable, without the text of the error', async () => {
    const type = 'com.amazonaws.dynamodb.v20120810#AccessDeniedException'
    aws.interfere({
      onRequest: () => ({ status: 400, body: { __type: type, message: 'secret words' } }),
    })
    const failure = await allowedTokenIds.count(newBindingId(), inTime).catch((error) => error)
    expect(failure).toBeInstanceOf(ServiceUnavailable)
    expect(failure.reason).toBe('DynamoDB: AccessDeniedException')
  })
})

describe('D96: entries that are expected', () => {
  const bindingId = newBindingId()
  const from = (first: number, last: number) => numbers(first, last) as TokenId[]
  const entries = (first: number, last: number): AllowedEntry[] =>
    from(first, last).map((tokenId) => ({ bindingId, tokenId }))

  const otherKey = { pk: 'OTHER', sk: 'OTHER' }

  /** A container, whose look-ups under one name are counted with their number of keys. */
  function container() {
    const ofContainer = dynamoAllowedTokenIds(table)
    return async (wanted: AllowedEntry[] = []) => {
      let allowed: AllowedEntry[] = []
      const requests = await requestsOf(async () => {
        const other = readItem(table, otherKey)
        const findAllowed = ofContainer.expected('a wallet')
        await other
        if (wanted.length > 0) allowed = await findAllowed(wanted)
      })
      const sizes = requests.map((name) => Number(/\d+$/.exec(name) ?? 1))
      return { allowed: allowed.map(({ tokenId }) => tokenId), sizes }
    }
  }

  test('what was looked up last is looked up in one request with other reads, as it is now', async () => {
    const lookUp = container()
    await allowedTokenIds.add(bindingId, from(1, 5))
    expect(await lookUp(entries(1, 10))).toEqual({ allowed: from(1, 5), sizes: [1, 10] })
    await allowedTokenIds.add(bindingId, from(6, 7))
    await allowedTokenIds.remove(bindingId, from(1, 2))
    expect(await lookUp(entries(1, 10))).toEqual({ allowed: from(3, 7), sizes: [11] })
  })

  test('an entry that was not expected is looked up alone', async () => {
    const lookUp = container()
    await allowedTokenIds.add(bindingId, from(11, 19))
    await lookUp(entries(11, 12))
    const { allowed, sizes } = await lookUp([...entries(18, 21), ...entries(11, 12)])
    expect({ allowed, sizes }).toEqual({ allowed: ['18', '19', '11', '12'], sizes: [3, 4] })
    expect((await lookUp(entries(18, 19))).sizes).toEqual([7])
  })

  test('nothing is expected of a name that was not asked for last, or for more than 50 entries', async () => {
    const lookUp = container()
    await lookUp(entries(1, 2))
    expect((await lookUp()).sizes).toEqual([3])
    expect((await lookUp(entries(1, 50))).sizes).toEqual([1, 50])
    expect((await lookUp(entries(1, 51))).sizes).toEqual([51, 1])
    expect((await lookUp()).sizes).toEqual([1])
  })

  test('what DynamoDB does not return at once is looked up when it is known', async () => {
    const lookUp = container()
    await allowedTokenIds.add(bindingId, from(31, 35))
    await lookUp(entries(31, 40))
    const batches = processOnly([otherKey])
    expect(await lookUp(entries(31, 40))).toEqual({ allowed: from(31, 35), sizes: [11, 10] })
    expect(batches).toEqual([11, 10])
  })
})

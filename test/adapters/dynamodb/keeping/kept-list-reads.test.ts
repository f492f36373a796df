import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoKeptHoldings } from '../../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { listHeadKey, listPartKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { ServiceUnavailable } from '../../../../lib/domain/failures.ts'
import type { Address } from '../../../../lib/domain/nft/address.ts'
import type { KeptHoldings, WalletLists } from '../../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { now } from '../stored-fixture.ts'
import {
  alice,
  balances,
  bob,
  longIds,
  range,
  snapshot,
  startKeptLists,
} from './kept-list-fixture.ts'

const { aws, change, settle, directory, firstAttemptsOf, items, kept, read, sentBy, table } =
  await startKeptLists()
const list = { snapshot, wallet: alice }

describe('a list that changes while it is read', () => {
  const ids = longIds(600)

  /** Has a number of reads of parts find others than the directory has named. Returns how often parts were read by others. */
  function changeBetween(times: number) {
    let changes = 0
    let reads = 0
    let isChanging = false
    aws.interfere({
      async onRequest({ action, body }) {
        if (isChanging || action !== 'BatchGetItem') return undefined
        if (!/^\d+$/.test(body.RequestItems.table.Keys[0].sk.S)) return undefined
        reads += 1
        if (changes === times) return undefined
        changes += 1
        isChanging = true
        // The second change takes the slots that the first one has left.
        for (const block of [100 + 2 * changes, 101 + 2 * changes])
          await settle(block, ids, BigInt(block))
        isChanging = false
        return undefined
      },
    })
    return () => reads
  }

  test('is read as it becomes', async () => {
    await settle(50, ids)
    const reads = changeBetween(4)
    expect(await read()).toMatchObject({ settledUpTo: 109, tokens: balances(ids, 109n) })
    expect(reads()).toBe(5)
  })

  test('is unavailable if it changes over and over', async () => {
    await settle(50, ids)
    const reads = changeBetween(5)
    await expect(read()).rejects.toThrow(ServiceUnavailable)
    expect(reads()).toBe(5)
  })
})

describe('a damaged list', () => {
  test.each<[string, () => Promise<{ key: { pk: string; sk: string }; damage: object }>]>([
    ['its head', async () => ({ key: listHeadKey(list), damage: { directory: 5 } })],
    [
      'a directory that is missing',
      async () => ({ key: listHeadKey(list), damage: { directory: 'x' } }),
    ],
    ['its directory', async () => ({ key: (await directory()).key, damage: { settledUpTo: 51 } })],
    ['its first part', async () => ({ key: listPartKey(list, 0), damage: { tokens: '1 2 3' } })],
    ['the form of a part', async () => ({ key: listPartKey(list, 1), damage: { tokens: 'x y' } })],
  ])('counts as too long: %s', async (_, damaged) => {
    await settle(50, longIds(600))
    const { key, damage } = await damaged()
    await items.put(key, { ...(await items.get(key)), ...damage })
    expect(await read()).toMatchObject({ tokens: new Map(), isTooLong: true })
    expect(await change(await read(), { settledUpTo: 60, balances: balances([1]) })).toBe(true)
  })

  test('counts as too long if it stands in its head', async () => {
    await settle(50, [1, 2])
    const key = listHeadKey(list)
    await items.put(key, { ...(await items.get(key)), tokens: '1 2' })
    expect(await read()).toMatchObject({ isTooLong: true })
  })

  test('is read in parts that are not damaged', async () => {
    const ids = longIds(600)
    await settle(50, ids)
    await items.put(listPartKey(list, 0), {})
    const wanted = [range(ids[500] ?? 0n, ids[599] ?? 0n)]
    const from = await read(alice, wanted)
    expect(from?.tokens).toEqual(balances(ids.slice(500)))
    expect(await change(from, { settledUpTo: 51, balances: balances([1]) })).toBe(false)
  })
})

const { chain, address, id } = snapshot
let holdings: KeptHoldings

beforeEach(() => {
  holdings = dynamoKeptHoldings(table)
})

describe('the lists of a wallet', () => {
  const changeOf = (
    key: object,
    wallet: Address,
    ids: readonly (bigint | number)[],
    settledUpTo = 50,
  ) =>
    kept.change({ ...snapshot, ...key }, wallet, undefined, {
      settledUpTo,
      balances: balances(ids),
    })
  const [other, foreign] = [addressOf(0xc2), addressOf(0xc3)]
  const list = (ids: readonly (bigint | number)[], settledUpTo = 50) => ({
    ...{ settledUpTo, tokens: balances(ids) },
  })
  const readNamed = (...named: (readonly [Address, string])[]) =>
    holdings.lists(chain, alice, Promise.resolve(new Map(named)))
  const changeOthers = async () => {
    await changeOf({ address: foreign }, alice, [5])
    await changeOf({ chain: 'POLYGON' }, alice, [6])
    await changeOf({}, bob, [7])
  }

  test('are those of the named snapshots, whole', async () => {
    await changeOf({}, alice, longIds(300))
    await changeOf({ id: 'b' }, alice, [1, 2], 0)
    await changeOf({ address: other }, alice, [])
    await changeOthers()
    const lists = await readNamed([address, id], [other, id], [addressOf(0xc4), id])
    expect(new Set(lists.keys())).toEqual(new Set([address, other]))
    expect(lists.get(address)).toMatchObject(list(longIds(300)))
    expect(lists.get(other)).toMatchObject(list([]))
    expect((await readNamed([address, 'b'])).get(address)).toMatchObject(list([1, 2], 0))
    expect(await readNamed([address, 'c'])).toEqual(new Map())
  })

  test('are too long if they are, or if they are damaged', async () => {
    await changeOf({}, alice, longIds(300))
    await items.put((await directory()).key, {})
    await items.put(listHeadKey({ snapshot: { ...snapshot, id: 'b' }, wallet: alice }), {})
    await changeOf({ id: 'c' }, alice, longIds(6_000))
    for (const each of [id, 'b', 'c']) {
      const lists = await readNamed([address, each])
      expect(lists.get(address)).toMatchObject({ isTooLong: true, tokens: new Map() })
    }
  })

  test('are read with one request, beside what is known of the snapshots, and one more for each that stands apart', async () => {
    await changeOf({}, alice, [1])
    await changeOthers()
    const requests = () => firstAttemptsOf(() => readNamed([address, id], [other, id]))
    expect(await requests()).toEqual(['Query'])
    await changeOf({ address: other }, alice, longIds(300))
    // Of a snapshot that is not in use any more, only the head is read.
    await changeOf({ id: 'b' }, alice, longIds(100))
    expect(await requests()).toEqual(['Query', 'Query'])
    const { promise, resolve } = Promise.withResolvers<Map<Address, string>>()
    // The request does not wait for the names.
    aws.interfere({ onResponse: () => void resolve(new Map([[address, id]])) })
    expect(await holdings.lists(chain, alice, promise)).toHaveProperty('size', 1)
  })

  test('are read with no more requests beside 200 lists of a contract that nobody asks for', async () => {
    await changeOf({}, alice, [1])
    for (const number of Array.from({ length: 200 }).keys()) {
      const its = { ...snapshot, address: foreign, id: `${number}` }
      await items.put(listHeadKey({ snapshot: its, wallet: alice }), { directory: 'missing' })
    }
    const readIt = () => readNamed([address, id])
    expect(await firstAttemptsOf(readIt)).toEqual(['Query'])
    expect((await readIt()).get(address)).toMatchObject(list([1]))
    aws.interfere({ extend: ({ action }) => action === 'Query' && { Limit: 150 } })
    expect(await firstAttemptsOf(readIt)).toEqual(['Query', 'Query'])
  })
})

describe('the lists that a container has read', () => {
  beforeEach(async () => {
    await settle(50, longIds(300))
  })

  /** The list as players read it, and the requests of this. */
  async function readLists() {
    let lists: WalletLists = new Map()
    const requests = await sentBy(async () => {
      lists = await holdings.lists(chain, alice, Promise.resolve(new Map([[address, id]])))
    })
    return { list: lists.get(address), actions: requests.map(({ action }) => action) }
  }

  test('of a long list that was just read, only the directory is read again', async () => {
    const first = await readLists()
    expect(first.actions).toEqual(['Query', 'Query'])
    vi.setSystemTime(now + 10_000)
    const { list, actions } = await readLists()
    expect(actions).toEqual(['Query', 'GetItem'])
    expect(list).toEqual(first.list)
    expect(list?.tokens).toEqual(balances(longIds(300)))
    vi.setSystemTime(now + 10_001)
    expect(await readLists()).toMatchObject({ list, actions: ['Query', 'Query'] })
  })

  test('a list that has changed since is read whole', async () => {
    await readLists()
    await settle(51, [7])
    const { list, actions } = await readLists()
    expect(actions).toEqual(['Query', 'GetItem', 'Query'])
    expect(list).toMatchObject({ settledUpTo: 51, tokens: balances([7, ...longIds(300)]) })
    expect(await readLists()).toMatchObject({ list, actions: ['Query', 'GetItem'] })
  })

  test('a list whose directory is damaged since is too long', async () => {
    await readLists()
    await items.put((await directory()).key, {})
    expect((await readLists()).list).toMatchObject({ isTooLong: true })
  })
})

import { describe, expect, test } from 'vitest'
import { listHeadKey, listPartKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { ServiceUnavailable } from '../../../../lib/domain/failures.ts'
import { alice, balances, longIds, range, snapshot, startKeptLists } from './kept-list-fixture.ts'

const { aws, items, read, change, changeNow, directory } = await startKeptLists()
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
          await changeNow({ settledUpTo: block, balances: balances(ids, BigInt(block)) })
        isChanging = false
        return undefined
      },
    })
    return () => reads
  }

  test('is read as it becomes', async () => {
    await changeNow({ settledUpTo: 50, balances: balances(ids) })
    const reads = changeBetween(4)
    expect(await read()).toMatchObject({ settledUpTo: 109, tokens: balances(ids, 109n) })
    expect(reads()).toBe(5)
  })

  test('is unavailable if it changes over and over', async () => {
    await changeNow({ settledUpTo: 50, balances: balances(ids) })
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
    await changeNow({ settledUpTo: 50, balances: balances(longIds(600)) })
    const { key, damage } = await damaged()
    await items.put(key, { ...(await items.get(key)), ...damage })
    expect(await read()).toMatchObject({ tokens: new Map(), isTooLong: true })
    expect(await change(await read(), { settledUpTo: 60, balances: balances([1]) })).toBe(true)
  })

  test('counts as too long if it stands in its head', async () => {
    await changeNow({ settledUpTo: 50, balances: balances([1, 2]) })
    const key = listHeadKey(list)
    await items.put(key, { ...(await items.get(key)), tokens: '1 2' })
    expect(await read()).toMatchObject({ isTooLong: true })
  })

  test('is read in parts that are not damaged', async () => {
    const ids = longIds(600)
    await changeNow({ settledUpTo: 50, balances: balances(ids) })
    await items.put(listPartKey(list, 0), {})
    const wanted = [range(ids[500] ?? 0n, ids[599] ?? 0n)]
    const from = await read(alice, wanted)
    expect(from?.tokens).toEqual(balances(ids.slice(500)))
    expect(await change(from, { settledUpTo: 51, balances: balances([1]) })).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import { listHeadKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { largestTokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import type { KeptList, WalletLists } from '../../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import {
  alice,
  all,
  balances,
  bob,
  longIds,
  range,
  snapshot,
  startKeptLists,
} from './kept-list-fixture.ts'

const { change, changeNow, directory, items, kept, read, sentBy, settle, written } =
  await startKeptLists()
const list = { snapshot, wallet: alice }

/** As many token identifiers in parts of about 6 KB. */
const spacedIds = (count: number) =>
  Array.from({ length: count }, (_, index) => BigInt(index) * 2n ** 64n)

describe('what a wallet holds in a snapshot', () => {
  test('is read as it was written, for the token identifiers that are wanted', async () => {
    expect(await read()).toBeUndefined()
    const held = new Map([...balances([0, 7, 8, 200]), ...balances([9], 5n)])
    expect(await change(undefined, { settledUpTo: 50, balances: held })).toBe(true)
    expect(await read()).toMatchObject({ settledUpTo: 50, tokens: held })
    const wanted = [range(100, 300), range(7, 8), range(0, 7), range(5, 6)]
    expect((await read(alice, wanted))?.tokens).toEqual(balances([0, 7, 8, 200]))
    expect((await read(alice, [range(1, 6), range(10, 199)]))?.tokens).toEqual(new Map())
    expect((await read(alice, []))?.tokens).toEqual(new Map())
  })

  test('is read for many wallets, those without a list left out, with one read for each 100', async () => {
    const wallets = Array.from({ length: 150 }, (_, index) => addressOf(index + 1))
    for (const [index, wallet] of wallets.entries()) {
      await change(undefined, { settledUpTo: 50, balances: balances([index]) }, wallet)
    }
    const wanted = new Map([...wallets, addressOf(0)].map((wallet) => [wallet, [all]]))
    let lists: WalletLists = new Map()
    const reads = await sentBy(async () => {
      lists = await kept.lists(snapshot, wanted)
    })
    const batches = reads.map(({ body }) => body.RequestItems.table)
    expect(batches.map(({ Keys }) => Keys.length).sort()).toEqual([100, 51])
    for (const { ConsistentRead } of batches) expect(ConsistentRead).toBe(true)
    expect(lists.size).toBe(150)
    for (const [index, wallet] of wallets.entries())
      expect(lists.get(wallet)?.tokens).toEqual(balances([index]))
    expect((await kept.lists({ ...snapshot, id: 'another' }, wanted)).size).toBe(0)
  })

  test('can be the longest identifier, with the longest balance', async () => {
    const held = balances([largestTokenId], largestTokenId)
    await change(undefined, { settledUpTo: 50, balances: held })
    await change(undefined, { settledUpTo: 50, balances: balances([largestTokenId]) }, bob)
    expect((await read())?.tokens).toEqual(held)
    expect((await read(bob))?.tokens).toEqual(balances([largestTokenId]))
  })

  test.each([3, 2_000])('stays with its block if it is nothing any more: %i', async (count) => {
    await settle(50, longIds(count))
    await settle(60, longIds(count), 0n)
    expect(await read()).toMatchObject({ settledUpTo: 60, tokens: new Map() })
    await changeNow({ settledUpTo: 61, balances: new Map() })
    expect(await read()).toMatchObject({ settledUpTo: 61, tokens: new Map() })
    await settle(62, [5, largestTokenId])
    expect((await read())?.tokens).toEqual(balances([5, largestTokenId]))
  })

  test('changes a balance, adds and takes away', async () => {
    await settle(50, [1, 2, 3])
    const changed = new Map([...balances([2], 0n), ...balances([3, 4], 2n), ...balances([9], 0n)])
    await changeNow({ settledUpTo: 50, balances: changed })
    expect((await read())?.tokens).toEqual(new Map([...balances([1]), ...balances([3, 4], 2n)]))
  })

  test('never goes back', async () => {
    await settle(50, [1])
    const from = await read()
    await expect(change(from, { settledUpTo: 49, balances: new Map() })).rejects.toThrow(RangeError)
  })
})

describe('a head', () => {
  test('is never larger than 250 bytes, and is not written any more once the list stands apart', async () => {
    let largest = 0
    const ids = Array.from({ length: 60 }, (_, index) => BigInt(index * index))
    const heads: string[] = []
    for (const [index, tokenId] of ids.entries()) {
      const settledUpTo = 1_000_000_000 + index
      const changeOne = () => settle(settledUpTo, [tokenId])
      const writes = await written(changeOne)
      for (const { pk, bytes } of writes)
        if (pk.startsWith('HOLD#')) largest = Math.max(largest, bytes)
      heads.push(writes.map(({ pk }) => pk.split('#')[0]).join(' '))
      expect((await read())?.tokens).toEqual(balances(ids.slice(0, index + 1)))
    }
    expect(largest).toBeGreaterThan(240)
    expect(largest).toBeLessThanOrEqual(250)
    // A part, the directory and the head, when it stands apart, and then a part and the directory.
    const [short, ...apart] = [...new Set(heads)]
    expect(short).toBe('HOLD')
    expect(apart).toEqual(['HOLDING HOLDING HOLD', 'HOLDING HOLDING'])
    await settle(2_000_000_000, ids, 0n)
    expect(await items.get(listHeadKey(list))).toHaveProperty('directory')
  })
})

describe('a long list', () => {
  test('has parts of 2 to 8 KB, of which a change writes those that it concerns', async () => {
    const ids = spacedIds(5_000)
    const first = await written(() => settle(50, ids))
    expect(first).toHaveLength(16 + 2)
    for (const { bytes } of first.slice(0, 16)) {
      expect(bytes).toBeGreaterThan(2_048)
      expect(bytes).toBeLessThan(8 * 1_024 + 200)
    }
    expect((await read())?.tokens).toEqual(balances(ids))
    const keysWritten = async (settledUpTo: number, changes: ReturnType<typeof balances>) =>
      (await written(() => changeNow({ settledUpTo, balances: changes }))).map(({ sk }) => sk)
    const directoryName = (await directory()).key.sk
    expect(await keysWritten(51, balances([5]))).toEqual(['16', directoryName])
    expect(await keysWritten(52, balances([6, ids[4_999] ?? 0n], 7n))).toEqual(
      ['0', '15', directoryName].with(1, '17'),
    )
    // Nothing changes but the block.
    expect(await keysWritten(53, balances([5]))).toEqual([directoryName])
    expect(await keysWritten(54, balances([ids[2_000] ?? 0n], 0n))).toHaveLength(2)
    const changed = balances(ids)
    for (const [tokenId, balance] of [...balances([5]), ...balances([6, ids[4_999] ?? 0n], 7n)])
      changed.set(tokenId, balance)
    changed.delete(tokenIdOf(ids[2_000] ?? 0n))
    expect((await read())?.tokens).toEqual(changed)
  })

  test('is read in the parts that are wanted, and changed also in others', async () => {
    const ids = spacedIds(5_000)
    await settle(50, ids)
    let from: KeptList | undefined
    const reads = await sentBy(async () => {
      from = await read(alice, [range(ids[100] ?? 0n, ids[101] ?? 0n), range(1, 2)])
    })
    expect(from?.tokens).toEqual(balances(ids.slice(100, 102)))
    const keysRead = reads.map(({ body }) => body.RequestItems.table.Keys.length)
    expect(keysRead).toEqual([1, 1, 1])
    expect(await change(from, { settledUpTo: 51, balances: balances(ids.slice(4_000), 0n) })).toBe(
      true,
    )
    expect((await read())?.tokens).toEqual(balances(ids.slice(0, 4_000)))
  })

  test('drops parts that are empty, also the first one', async () => {
    const ids = spacedIds(5_000)
    await settle(50, ids)
    await settle(51, ids.slice(0, 1_000), 0n)
    const { parts } = await directory()
    expect(parts).toHaveLength(13)
    expect(parts[0]?.[1]).toBe('0')
    await settle(52, [3, 4])
    expect((await read(alice, [range(0, ids[1_000] ?? 0n)]))?.tokens).toEqual(
      balances([3, 4, ids[1_000] ?? 0n]),
    )
  })

  test('splits a part that has become too large, and uses the slots of replaced parts again', async () => {
    const ids = longIds(600)
    for (let count = 0; count < ids.length; count += 10) {
      await settle(50 + count, ids.slice(count, count + 10))
    }
    expect((await read())?.tokens).toEqual(balances(ids))
    const { parts } = await directory()
    const [slots, bytes] = [parts.map(([slot]) => slot), parts.map((part) => part[4])]
    expect(Math.max(...bytes)).toBeLessThanOrEqual(8 * 1_024)
    expect(Math.min(...bytes)).toBeGreaterThan(2 * 1_024)
    expect(Math.max(...slots)).toBeLessThan(slots.length + 4)
  })

  test('is too long with more than 10,000 tokens or 300 KB, whatever changes, and is not read then', async () => {
    const tokens = Array.from({ length: 10_000 }, (_, index) => index)
    await settle(50, tokens)
    expect((await read())?.tokens.size).toBe(10_000)
    expect(await read()).not.toHaveProperty('isTooLong')
    const writes = await written(() => settle(51, [10_000]))
    expect(writes).toHaveLength(1)
    const tooLong = { settledUpTo: 51, tokens: new Map(), isTooLong: true }
    expect(await read()).toMatchObject(tooLong)
    expect(await change(await read(), { settledUpTo: 52, balances: balances(tokens, 0n) })).toBe(
      true,
    )
    expect(await read()).toMatchObject(tooLong)
    await change(undefined, { settledUpTo: 50, balances: balances(longIds(4_900)) }, bob)
    expect((await read(bob))?.tokens.size).toBe(4_900)
    const more = balances(longIds(5_000).slice(4_900))
    await change(await read(bob), { settledUpTo: 51, balances: more }, bob)
    expect(await read(bob)).toMatchObject(tooLong)
  })

  test('is divided anew before it has more than 200 parts', async () => {
    const counts: number[] = []
    const left: bigint[] = []
    for (let round = 0; round < 9; round += 1) {
      const ids = longIds(4_000).map((tokenId) => (tokenId + BigInt(round) * largestTokenId) / 10n)
      await settle(50, ids)
      const moved = ids.filter((_, index) => index % 125 > 0)
      await settle(50, moved, 0n)
      left.push(...ids.filter((_, index) => index % 125 === 0))
      counts.push((await directory()).parts.length)
    }
    expect((await read())?.tokens).toEqual(balances(left))
    expect(Math.max(...counts)).toBeGreaterThan(200 - 33)
    expect(Math.max(...counts)).toBeLessThanOrEqual(200)
    expect(counts.at(-1)).toBeLessThan(150)
  })

  test.each<[string, number | undefined]>([
    ['none', undefined],
    ['a short one', 3],
    ['a long one', 3_000],
  ])('is too long if the change says so, from %s', async (_, count) => {
    if (count) await settle(50, longIds(count))
    const mark = () => changeNow({ settledUpTo: 51, balances: new Map(), isTooLong: true })
    expect(await written(mark)).toHaveLength(1)
    expect(await read()).toMatchObject({ settledUpTo: 51, tokens: new Map(), isTooLong: true })
  })

  test('is too long from the beginning, without a part', async () => {
    const make = () => settle(50, longIds(6_000))
    expect(await written(make)).toHaveLength(1)
    expect(await read()).toMatchObject({ settledUpTo: 50, isTooLong: true })
  })

  test('is read up to the last identifier before its next part', async () => {
    await settle(50, spacedIds(5_000))
    const next = BigInt((await directory()).parts[1]?.[1] ?? 0)
    await settle(51, [next - 1n])
    for (const id of [next - 1n, next]) {
      expect((await read(alice, [range(id, id)]))?.tokens).toEqual(balances([id]))
    }
  })
})

import { describe, expect, test } from 'vitest'
import { dynamoSnapshotAttempts } from '../../../../lib/adapters/dynamodb/keeping/snapshot-attempts.ts'
import { dynamoSnapshotLists } from '../../../../lib/adapters/dynamodb/keeping/snapshot-lists.ts'
import {
  listHeadKey,
  snapshotAttemptKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import type { SnapshotKey } from '../../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { tappedTable } from '../stored-fixture.ts'
import { alice, balances, bob, longIds, snapshot, startKeptLists } from './kept-list-fixture.ts'

const { items, kept, table } = await startKeptLists()
const attempts = dynamoSnapshotAttempts(table)
const lists = dynamoSnapshotLists(table)
const { chain, address, id } = snapshot
const other: SnapshotKey = { ...snapshot, id: '0mh2s1x5k8f00baa8' }
const carol = addressOf(0xc)

/** The end of lists that began at the moment of the identifier, and three days. */
const expiresAt = Math.ceil((Number.parseInt('0mh2s1x5k', 36) + 33 * 86_400_000) / 1_000)

const later = () => Date.now() + 60_000

/** Writes lists of a snapshot, of which those of bob and carol stand apart; carol's has become too long. */
async function writeLists(key: SnapshotKey) {
  await attempts.beginLists(key)
  await kept.noteHolders(key, [alice, bob])
  await kept.noteHolders(key, [carol, addressOf(0xd)])
  await attempts.addToList(key, alice, balances([1]))
  for (const wallet of [bob, carol]) await attempts.addToList(key, wallet, balances(longIds(300)))
  const from = (await kept.lists(key, new Map([[carol, []]]))).get(carol)
  await kept.change(key, carol, from, { settledUpTo: 5, balances: new Map(), isTooLong: true })
}

describe('the lists of a snapshot', () => {
  test('are registered before the first one, and marked as unused or used', async () => {
    await attempts.beginLists(snapshot)
    await attempts.beginLists({ ...snapshot, chain: 'BSC' })
    expect(await lists.all(chain)).toEqual([{ address, id }])
    await lists.markUnused(snapshot, 7)
    await attempts.beginLists(other)
    expect(await lists.all(chain)).toEqual([
      { address, id, unusedSince: 7 },
      { address, id: other.id },
    ])
    await lists.markUnused(snapshot, undefined)
    expect(await lists.all(chain)).toEqual([
      { address, id },
      { address, id: other.id },
    ])
  })

  test('stay deleted when they are marked', async () => {
    for (const at of [7, undefined]) await lists.markUnused(snapshot, at)
    expect(await items.all()).toEqual([])
  })

  test('expire together, at the end of a month and three days', async () => {
    await writeLists(snapshot)
    const found = await items.all()
    expect(found.map(({ pk }) => `${pk}`.split('#')[0]).sort()).toEqual([
      ...['HOLD', 'HOLD', 'HOLD', 'HOLDING', 'HOLDING', 'HOLDING', 'HOLDING'],
      ...['HOLDING', 'HOLDING', 'HOLDING', 'HOLDING', 'HOLDING', 'HOLDING'],
      ...['KEPTLISTS', 'KEPTOWN', 'KEPTOWN'],
    ])
    expect(found.filter((item) => item['expiresAt'] !== expiresAt)).toEqual([])
  })

  test('have the wallets in items of 15,000, which a repetition writes again', async () => {
    const wallets = Array.from({ length: 15_001 }, (_, index) => addressOf(index + 1))
    for (const _time of ['first', 'repeated']) await kept.noteHolders(snapshot, wallets)
    expect(await items.all()).toHaveLength(2)
  })
})

describe('a snapshot that is deleted', () => {
  test('leaves nothing, and no other one changes', async () => {
    await writeLists(other)
    const left = await items.all()
    await writeLists(snapshot)
    expect(await lists.delete(snapshot, later())).toBe(true)
    expect(await items.all()).toEqual(left)
    expect(await lists.delete(snapshot, later())).toBe(true)
    expect(await items.all()).toEqual(left)
  })

  test('leaves nothing of a list whose head is damaged', async () => {
    await writeLists(snapshot)
    await items.put(listHeadKey({ snapshot, wallet: bob }), { directory: 5 })
    expect(await lists.delete(snapshot, later())).toBe(true)
    expect(await items.all()).toEqual([])
  })

  test('is deleted to its end after a crash before any of its writes', async () => {
    for (let kill = 0; ; kill += 1) {
      await writeLists(snapshot)
      let writes = 0
      const mortal = tappedTable(table, ({ operation }) => {
        if (operation === 'BatchWriteItem') writes += 1
        if (writes > kill) throw new Error('ended by the test')
      })
      const isWhole = await dynamoSnapshotLists(mortal)
        .delete(snapshot, later())
        .catch(() => false)
      if (isWhole) break
      expect(await lists.all(chain), `write ${kill}`).toHaveLength(1)
      expect(await lists.delete(snapshot, later())).toBe(true)
      expect(await items.all(), `write ${kill}`).toEqual([])
    }
  })

  test('is not deleted after the deadline, and stays registered', async () => {
    await writeLists(snapshot)
    const before = await items.all()
    expect(await lists.delete(snapshot, Date.now())).toBe(false)
    expect(await items.all()).toEqual(before)
  })
})

test('the attempts of a chain are found together, without those that are damaged', async () => {
  const first = { id, count: 0, sum: '0' }
  const attempt = { version: 1, takenUntil: 0, standard: 'ERC721', statedAt: 5, first } as const
  expect(await attempts.all(chain)).toEqual(new Map())
  await attempts.write({ chain, address }, attempt)
  await attempts.write({ chain, address: alice }, { ...attempt, statedAt: 6 })
  await attempts.write({ chain: 'BSC', address: bob }, attempt)
  await items.put(snapshotAttemptKey({ chain, address: carol }), { version: 'x' })
  const all = new Map([
    [address, attempt],
    [alice, { ...attempt, statedAt: 6 }],
  ])
  expect(await attempts.all(chain)).toEqual(all)
})

import { expect, test } from 'vitest'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { listsExpireAt, newSnapshotId } from '../../../lib/domain/snapshots/snapshot-attempt.ts'
import { unusedLists } from '../../../lib/domain/snapshots/unused-lists.ts'
import type { Turn } from '../../../simulation/followed-table.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import { contract, other } from '../../support/follower/followed.ts'

const [chain, hour] = ['POLYGON' as const, 3_600_000]
const key = (id: string, address = contract) => ({ chain, address, id })
const snapshot = (id: string) => ({ id, standard: 'ERC721' as const, step: 1, since: 5, at: 0 })

/** Lists of a contract that has an attempt of two passes, `first` and `second`. `turn`: called before each call of a port. */
async function registered(ids: string[], changes: Partial<KeptContract> = {}) {
  let before: Turn = async () => undefined
  const turn: Turn = (call) => before(call)
  const { kept: table, ...ports } = tablePorts(() => 0, turn)
  const item = { ...newKeptContract(contract), version: 1, ...changes }
  table.contracts.set(contract, item)
  const pass = { count: 0, sum: '0' }
  const attempt = {
    ...{ version: 1, takenUntil: 0, standard: 'ERC721' as const, statedAt: 0 },
    ...{ first: { ...pass, id: 'first' }, second: { ...pass, id: 'second' } },
  }
  await ports.attempts.write({ chain, address: contract }, attempt)
  for (const id of ids) await ports.attempts.beginLists(key(id))
  return {
    ...{ table, ports, item },
    look: (now: number) => unusedLists(chain, ports, now),
    beforeEach: (call: Turn) => {
      before = call
    },
  }
}

const log = { standard: 'ERC721' as const, since: { number: 5, at: 0 } }

test('lists are unused for an hour when they have been seen so an hour before', async () => {
  const { look } = await registered(['old'])
  expect(await look(1_000)).toEqual([])
  expect(await look(1_000 + hour - 1)).toEqual([])
  expect(await look(1_000 + hour)).toEqual([key('old')])
})

test('lists of a snapshot in use, of a prepared one and of an attempt are used', async () => {
  const used = { snapshot: snapshot('a'), prepared: snapshot('b'), log }
  const { look, table } = await registered(['a', 'b', 'first', 'second', 'old'], used)
  await look(0)
  expect(await look(hour)).toEqual([key('old')])
  table.contracts.delete(contract)
  await look(hour)
  expect((await look(2 * hour)).map(({ id }) => id)).toEqual(['a', 'b', 'first', 'second', 'old'])
})

test('lists of an attempt that cannot become a snapshot, because its contract has no log, are unused', async () => {
  const { look } = await registered(['first'])
  await look(0)
  expect(await look(hour)).toEqual([key('first')])
})

test('lists of another contract with the same identifier are not used', async () => {
  const { look, ports } = await registered(['a'], { snapshot: snapshot('a') })
  await ports.attempts.beginLists(key('a', other))
  await look(0)
  expect(await look(hour)).toEqual([key('a', other)])
})

test('the hour begins anew when lists have been used in between', async () => {
  const { look, table, item } = await registered(['a'])
  await look(0)
  table.contracts.set(contract, { ...item, snapshot: snapshot('a') })
  await look(hour)
  table.contracts.set(contract, item)
  expect(await look(hour + 1)).toEqual([])
  expect(await look(2 * hour)).toEqual([])
  expect(await look(2 * hour + 1)).toEqual([key('a')])
})

test('a hand-over, and the beginning of a pass, between any two of the reads leave used lists alone', async () => {
  for (let place = 0; place < 4; place += 1) {
    const { look, beforeEach, table, ports, item } = await registered(['second'], { log })
    let calls = 0
    beforeEach(async () => {
      calls += 1
      if (calls !== place + 1) return
      beforeEach(async () => undefined)
      const handedOver = { ...item, version: 2, log: undefined, prepared: snapshot('second') }
      await ports.keptContracts.write(chain, handedOver)
      await ports.attempts.end({ chain, address: contract }, 1)
      const pass = { id: 'new', count: 0, sum: '0' }
      const attempt = { version: 1, takenUntil: 0, standard: 'ERC721', statedAt: 0 } as const
      await ports.attempts.write({ chain, address: contract }, { ...attempt, first: pass })
      await ports.keptContracts.write(chain, { ...handedOver, version: 3, log })
      await ports.attempts.beginLists(key('new'))
    })
    await look(0)
    beforeEach(async () => undefined)
    expect([...table.registered.values()].filter(({ unusedSince }) => unusedSince === 0)).toEqual(
      [],
    )
  }
})

const [begunAt, day] = [1_800_000_000_000, 86_400]

test('identifiers of lists are in the order of time, and each is another one', () => {
  const ids = [0, 1, begunAt, begunAt, begunAt + 1].map(newSnapshotId)
  const times = ids.map((id) => id.slice(0, 9))
  expect(times).toEqual(times.toSorted())
  expect(new Set(ids).size).toBe(5)
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{17}$/)
})

test('lists expire 33 days after they have begun, whenever they are written', () => {
  const expiry = begunAt / 1_000 + 33 * day
  for (const now of [begunAt, begunAt + 1e9])
    expect(listsExpireAt(newSnapshotId(begunAt), now)).toBe(expiry)
})

test('lists whose identifier does not say when they have begun expire 33 days after they are written', () => {
  for (const id of ['1', 'snapshot', crypto.randomUUID()])
    expect(listsExpireAt(id, begunAt)).toBe(begunAt / 1_000 + 33 * day)
})

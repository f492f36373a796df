import { expect, test } from 'vitest'
import { listsExpireAt, newSnapshotId } from '../../../lib/domain/snapshots/snapshot-id.ts'

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

import { expect, test } from 'vitest'
import { largestTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { ChangedMetadata } from '../../../lib/domain/holdings/kept-contract.ts'
import { changedAfter } from '../../../lib/domain/keeping/changed-metadata.ts'
import { id } from './said-events.ts'

const change = (first: bigint | number, last: bigint | number, at: number): ChangedMetadata => ({
  ...{ fromTokenId: id(first), toTokenId: id(last), at },
})

test('a change is noted once, however often it is read', () => {
  const known = changedAfter([], [change(1, 1, 10), change(5, 9, 12)])
  expect(known).toEqual([change(1, 1, 10), change(5, 9, 12)])
  expect(changedAfter(known, [change(5, 9, 12), change(1, 1, 10), change(6, 6, 11)])).toBe(known)
})

test('a later change takes the place of those whose NFTs it names', () => {
  const known = changedAfter([], [change(1, 1, 10), change(2, 4, 11), change(30, 30, 12)])
  expect(changedAfter(known, [change(1, 3, 13)])).toEqual([
    ...[change(2, 4, 11), change(30, 30, 12), change(1, 3, 13)],
  ])
  const all = change(0, largestTokenId, 20)
  expect(changedAfter(known, [all])).toEqual([all])
})

test('of more than 20, the two oldest are one, with all that they name and the later time', () => {
  const each = Array.from({ length: 21 }, (_, index) => change(index * 10, index * 10 + 1, index))
  const known = changedAfter([], each)
  expect(known).toEqual([change(0, 11, 1), ...each.slice(2)])
  // What was read before is read again, and says nothing new.
  expect(changedAfter(known, each)).toBe(known)
})

test('200 changes are 20, and none of them counts as older than it is', () => {
  const each = Array.from({ length: 200 }, (_, index) =>
    change((index * 37) % 200, (index * 37) % 200, index),
  )
  let known: readonly ChangedMetadata[] = []
  for (const one of each) known = changedAfter(known, [one])
  expect(known).toHaveLength(20)
  for (const one of each) {
    const at = known
      .filter(
        (of) =>
          BigInt(of.fromTokenId) <= BigInt(one.fromTokenId) &&
          BigInt(of.toTokenId) >= BigInt(one.toTokenId),
      )
      .map((of) => of.at)
    expect(Math.max(...at)).toBeGreaterThanOrEqual(one.at)
  }
})

import { expect, test } from 'vitest'
import type { MetadataChange } from '../../../lib/domain/nft-events/nft-event.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves, movesAmounts, movesRange, newMetadata } from './said-events.ts'

test('the follower takes over a prepared snapshot with one step, from which on it counts', async () => {
  const { table, item, held } = await followerOfTwo()
  const step = table.positions.get('POLYGON')?.step
  expect(step).toBe(3)
  expect(item()).toMatchObject({ snapshot: { id: 'snapshot', standard: 'ERC721', step: 3 } })
  expect(item()).not.toHaveProperty('prepared')
  expect(await held(alice)).toEqual({ 1: 1n })
  expect(await held(alice, other)).toEqual({ 1: 5n })
  expect(await held(bob)).toEqual({})
})

test('a read has an event with the step that reads it, and the same after it has settled', async () => {
  const { emit, step, settle, list, item, held } = await followerOfTwo()
  emit(moves(alice, bob, 1))
  emit(movesRange(null, alice, [7, 8]))
  emit(movesAmounts(alice, bob, [1, 2], [1, 1]), other)
  const expectHeld = async () => {
    expect(await held(alice)).toEqual({ 7: 1n, 8: 1n })
    expect(await held(bob)).toEqual({ 1: 1n })
    expect(await held(alice, other)).toEqual({ 1: 2n })
    expect(await held(bob, other)).toEqual({ 1: 3n })
  }
  await step()
  await expectHeld()
  expect(list(alice)).toMatchObject({ settledUpTo: 0 })
  await settle()
  await expectHeld()
  expect(Object.fromEntries(list(bob)?.tokens ?? [])).toEqual({ 1: 1n })
  expect(item()).toMatchObject({ settledUpTo: list(alice)?.settledUpTo })
})

test('an event settles with the second step after its block is declared, and not before', async () => {
  const { emit, stepUntil, settling, list, item } = await followerOfTwo()
  const block = emit(moves(alice, bob, 1))
  const declared: number[] = []
  await stepUntil(() => {
    if (!list(bob)) declared.push(settling().declared.number)
    return list(bob) !== undefined
  })
  expect(declared.at(-1)).toBeGreaterThanOrEqual(block)
  expect(declared.at(-2)).toBeLessThan(block)
  expect(list(bob)?.settledUpTo).toBe(declared.at(-1))
  expect(item().settledUpTo).toBe(declared.at(-1))
})

test('an item has the events of its last settling, and drops them with the next one', async () => {
  const { emit, settle, item } = await followerOfTwo()
  const blocks = () => item().events.map(({ block }) => block)
  const first = emit(moves(alice, bob, 1))
  await settle()
  expect(item().settledUpTo).toBeGreaterThan(first)
  expect(blocks()).toEqual([first])
  const second = emit(moves(bob, alice, 1))
  await settle()
  expect(item().settledUpTo).toBeGreaterThan(second)
  expect(blocks()).toEqual([second])
})

test('new metadata (ERC-4906) is in the item with a time that is not before its own, written once, and in no list', async () => {
  const { emit, settle, step, item, changes } = await followerOfTwo()
  const before = item()
  const block = emit(newMetadata)
  await step()
  const { fromTokenId, toTokenId } = newMetadata.content as MetadataChange
  const [change, ...others] = item().changed ?? []
  expect([change, others]).toEqual([{ fromTokenId, toTokenId, at: expect.any(Number) }, []])
  expect(change?.at).toBeGreaterThanOrEqual(block * 2_000)
  expect(change?.at).toBeLessThan(block * 2_000 + 5_000)
  await settle()
  expect(item()).toEqual({
    ...before,
    version: before.version + 1,
    readUpTo: expect.any(Number),
    changed: [change],
  })
  expect(changes).toEqual([])
})

test('settled events of a contract are logged while a snapshot is wanted', async () => {
  const { kept, emit, settle, item } = await followerOfTwo()
  kept.contracts.set(contract, {
    ...item(),
    version: item().version + 1,
    log: { standard: 'ERC721' },
  })
  const block = emit(moves(alice, bob, 1))
  emit(movesAmounts(alice, bob, [1, 1]), other)
  await settle()
  expect([...kept.log.keys()]).toEqual([`${contract} ${block} 0`])
  expect(item().log?.since?.number).toBeLessThan(block)
})

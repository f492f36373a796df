import { beforeEach, describe, expect, test } from 'vitest'
import { everyToken } from '../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { alice, bob, contract, emitTransfers, other } from '../../support/follower/followed.ts'
import { followerOfTwo } from './kept-follower.ts'
import { moves, movesAmounts, newMetadata } from './said-events.ts'

let follower: Awaited<ReturnType<typeof followerOfTwo>>

beforeEach(async () => {
  follower = await followerOfTwo()
})

/** Takes a step, and returns how many contracts it asks about. */
async function asked(...how: Parameters<typeof follower.step>): Promise<number | undefined> {
  follower.chain.queries = []
  expect(await follower.step(...how)).toBe('moved')
  return follower.chain.queries[0]?.contracts
}

describe('a kept contract that has too many events, or whose events are refused', () => {
  test.each([
    ['busy', 999, 1_000],
    ['refused', 3, 2],
  ] as const)(
    '%s: is not asked about for an hour, and counted',
    async (reason, count, maxEvents) => {
      const { chain, emit, stepUntil, item, result, write } = follower
      // What is logged for the next snapshot begins anew after it, too.
      write({ log: { standard: 'ERC721', since: { number: 1, at: 1 } } })
      chain.maxEvents = maxEvents
      for (let tokenId = 0; tokenId < count; tokenId += 1) emit(moves(null, bob, tokenId))
      await stepUntil(() => item().ended !== undefined)
      const none = { busy: 0, refused: 0 }
      expect(result()).toMatchObject({ ...none, [reason]: 1 })
      expect(item()).toMatchObject({ ended: { reason }, log: { since: undefined } })
      chain.maxEvents = 1_000
      const ended = item()
      emit(newMetadata)
      expect(await asked(3_590)).toBe(1)
      expect(result()).toMatchObject({ ...none, [reason]: 1 })
      expect(item()).toEqual(ended)
      expect(await asked(15)).toBe(2)
      expect(result()).toMatchObject(none)
      await stepUntil(() => item().log?.since !== undefined, 13)
      const { since } = item().log ?? {}
      expect(since?.number).toBeGreaterThan(1)
      // Nobody has read of the new metadata.
      expect(item().changed).toEqual([{ ...everyToken, at: expect.any(Number) }])
      expect(item().changed?.[0]?.at).toBeGreaterThanOrEqual(since?.at ?? 0)
    },
  )

  test('has no other metadata for that its log begins, while a snapshot is in use or without an end', async () => {
    const { write, item, step } = follower
    const ended = { reason: 'audit', at: 1 } as const
    for (const more of [{ ended }, { ended: undefined, snapshot: undefined }]) {
      write({ log: { standard: 'ERC721' }, ...more })
      await step()
      expect(item().log?.since).toBeDefined()
      expect(item().changed).toBeUndefined()
    }
  })

  test('busy: counts once if its events are logged for readers, too', async () => {
    const { emit, step, watch, result } = follower
    watch(contract)
    await step()
    for (let tokenId = 0; tokenId < 999; tokenId += 1) emit(moves(null, bob, tokenId))
    await step()
    await step()
    expect(result()).toMatchObject({ busy: 1, refused: 0 })
  })
})

test('busy: a contract that is only watched is left out before one that is kept, when a step would hold too much', async () => {
  const { chain, emit, step, watch, noted, item, result } = follower
  const watched = addressOf(0xc3)
  watch(watched)
  await step()
  chain.maxEvents = 100_000
  const amounts = Array.from({ length: 2_600 }, (_, id): [number, number] => [id, 1])
  emit(movesAmounts(null, bob, ...amounts), other)
  emitTransfers(chain, watched, { tokens: 2_450 })
  await step()
  expect(result()).toMatchObject({ outcome: 'moved', busy: 1 })
  expect(noted.contract(watched)?.suspendedUntil).toBeDefined()
  expect(item(other)).toMatchObject({ snapshot: { id: 'snapshot' } })
})

test('a contract of which no snapshot is taken for a month is neither asked about nor written', async () => {
  const { write, item, emit } = follower
  const ended = { reason: 'tooManyTokens', at: follower.now() } as const
  write({ snapshot: undefined, events: [], ended })
  const before = item()
  emit(moves(alice, bob, 1))
  expect(await asked()).toBe(1)
  expect(item()).toEqual(before)
})

test('a snapshot that was handed over before a gap is dropped', async () => {
  const { write, item } = follower
  write({ snapshot: undefined, events: [], prepared: item().snapshot })
  await follower.step(10_000)
  await follower.step(5)
  expect(item().prepared).toBeUndefined()
  expect(item().snapshot).toBeUndefined()
})

describe('a contract that was let go', () => {
  beforeEach(() => {
    const ended = { reason: 'letGo', at: follower.now() } as const
    follower.write({ snapshot: undefined, events: [], ended })
  })

  test('is neither asked about nor written', async () => {
    const { emit, item } = follower
    const before = item()
    emit(moves(alice, bob, 1))
    expect(await asked()).toBe(1)
    expect(await asked(3_000)).toBe(1)
    expect(item()).toEqual(before)
    await follower.step()
    expect(await follower.held(alice, other)).toEqual({ 1: 5n })
  })

  test('is asked about when a snapshot of it is wanted again', async () => {
    follower.write({ log: { standard: 'ERC721' } })
    expect(await asked()).toBe(2)
  })

  test('is written, like all others, by who takes over, so that nobody else can write it any more', async () => {
    const { item, step } = follower
    const versions = () => [contract, other].map((address) => item(address).version)
    const before = versions()
    await step(5, { isTakenOver: true })
    expect(versions()).toEqual(before.map((version) => version + 1))
    await step()
    expect(versions()).toEqual(before.map((version) => version + 1))
  })
})

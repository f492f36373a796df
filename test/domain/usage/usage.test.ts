import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UsageCounters } from '../../../lib/domain/ports/usage.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import {
  countPlayers,
  digestRange,
  sketchSize,
  smallestDigests,
  type UsageCounts,
} from '../../../lib/domain/usage/usage.ts'
import { usageRecorder } from '../../../lib/domain/usage/usage-recorder.ts'
import { check } from '../../support/vitest/seeded.ts'

const [one, other] = ['one' as ProductId, 'other' as ProductId]
const call = (productId: ProductId, outcome = 'success') => ({
  productId,
  call: { operation: 'getProduct', outcome },
  indexerCalls: 0,
})

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** A recorder that keeps counts for 10 s, and what it has written. `add`: what the counters return. */
function recording(add: () => Promise<boolean> = async () => true) {
  const saved: [string, string, UsageCounts, { isRead: boolean }][] = []
  const counters: UsageCounters = {
    add: async (productId, day, counts, options) => {
      saved.push([productId, day, structuredClone(counts), options])
      return await add()
    },
  }
  return { recorder: usageRecorder(counters, 10), saved }
}

const counted = (calls: Record<string, number>, more: Partial<UsageCounts> = {}): UsageCounts => ({
  calls: new Map(Object.entries(calls)),
  indexerCalls: 0,
  userIds: new Set(),
  limited: new Map(),
  ...more,
})

const once = counted({ 'getProduct:success': 1 })
const today = '2026-11-22'

describe('D55: usage is counted in memory', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T10:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('D55: counts are written when the oldest count is 10 seconds old, and only once', async () => {
    const { recorder, saved } = recording()
    recorder.count({ ...call(one), indexerCalls: 3, userId: 7 })
    wait(9_999)
    recorder.count({ ...call(one), indexerCalls: 2, userId: 7 })
    recorder.count({ ...call(one, 'rate_limited'), limit: 'indexer_calls_by_day', userId: 8 })
    await recorder.writeDue(one)
    expect(saved).toEqual([])
    wait(1)
    await recorder.writeDue(one)
    const counts = counted(
      { 'getProduct:success': 2, 'getProduct:rate_limited': 1 },
      {
        indexerCalls: 5,
        userIds: new Set([7, 8]),
        limited: new Map([['indexer_calls_by_day', 1]]),
      },
    )
    expect(saved).toEqual([[one, today, counts, { isRead: true }]])
    wait(60_000)
    await recorder.writeDue(one)
    expect(saved).toHaveLength(1)
  })

  test('D55: one request writes the counts of one product and day (UTC), the oldest first', async () => {
    const { recorder, saved } = recording()
    vi.setSystemTime(Date.parse('2026-11-22T23:59:59.999Z'))
    recorder.count(call(one))
    recorder.count(call(other))
    wait(1)
    recorder.count(call(one, 'invalid_request'))
    wait(10_000)
    for (const length of [1, 2, 3, 3]) {
      await recorder.writeDue(one)
      expect(saved).toHaveLength(length)
    }
    expect(saved).toEqual([
      [one, '2026-11-22', once, { isRead: true }],
      // The request has not read this product, which can be deleted by now.
      [other, '2026-11-22', once, { isRead: false }],
      [one, '2026-11-23', counted({ 'getProduct:invalid_request': 1 }), { isRead: true }],
    ])
  })

  test('D55: background work counts as indexer calls, not as a call', async () => {
    const { recorder, saved } = recording()
    recorder.count({ productId: one, indexerCalls: 4 })
    wait(10_000)
    await recorder.writeDue()
    expect(saved).toEqual([[one, today, counted({}, { indexerCalls: 4 }), { isRead: false }]])
  })

  test('D55: counts that the throttled table refused are written later, with newer counts', async () => {
    const answers = [false, true]
    const { recorder, saved } = recording(async () => answers.shift() ?? true)
    recorder.count({ ...call(one), indexerCalls: 1, userId: 7, limit: 'nfts' })
    wait(10_000)
    const writing = recorder.writeDue(one)
    recorder.count({ ...call(one), indexerCalls: 1, userId: 8, limit: 'client_reads' })
    await writing
    await recorder.writeDue(one)
    expect(saved).toHaveLength(1)
    wait(10_000)
    await recorder.writeDue(one)
    const limited = new Map([
      ['client_reads', 1],
      ['nfts', 1],
    ])
    const counts = { indexerCalls: 2, userIds: new Set([8, 7]), limited }
    const all = counted({ 'getProduct:success': 2 }, counts)
    expect(saved.slice(1)).toEqual([[one, today, all, { isRead: true }]])
  })

  test('D55: memory is bounded: 1,000 products, and 10,000 players of each', async () => {
    const { recorder, saved } = recording()
    for (let index = 0; index < 1_001; index += 1) recorder.count(call(`${index}` as ProductId))
    for (let userId = 0; userId < 10_001; userId += 1) {
      recorder.count({ ...call('0' as ProductId), userId })
    }
    wait(10_000)
    for (let index = 0; index < 1_002; index += 1) await recorder.writeDue()
    expect(saved).toHaveLength(1_000)
    expect(saved[0]?.[2].userIds.size).toBe(10_000)
  })
})

const digest = fc.integer({ min: 0, max: digestRange - 1 })

/** This number of different digests that are spread at random, from a seed. */
function digestsFrom(seed: number, count: number): Set<number> {
  // xorshift32 visits every number but 0 once.
  let state = seed >>> 0 || 1
  const digests = new Set<number>()
  while (digests.size < count) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    digests.add(state >>> 0)
  }
  return digests
}

describe('D55: the number of distinct players', () => {
  test('D55: fewer than 256 players are counted exactly', () => {
    const digests = fc.uniqueArray(digest, { maxLength: sketchSize - 1 })
    check(
      fc.property(digests, (players) => {
        const counted = { players: players.length, isEstimate: false }
        expect(countPlayers([...players, ...players])).toEqual(counted)
      }),
    )
  })

  test('D55: of more players, the number is an estimate within 25 % (four standard errors)', () => {
    check(
      fc.property(fc.integer(), fc.integer({ min: sketchSize, max: 20_000 }), (seed, count) => {
        const { players, isEstimate } = countPlayers(digestsFrom(seed, count))
        expect(isEstimate).toBe(true)
        expect(Math.abs(players / count - 1)).toBeLessThan(4 / Math.sqrt(sketchSize - 2))
      }),
    )
  })

  test('D55: the sketch of a union follows from the sketches of its parts', () => {
    const parts = fc.array(fc.array(digest, { maxLength: 400 }), { maxLength: 5 })
    check(
      fc.property(parts, (players) => {
        const sketches = players.map(smallestDigests)
        expect(countPlayers(sketches.flat())).toEqual(countPlayers(players.flat()))
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Limit } from '../../lib/domain/limit.ts'
import { lastPermittedState, permit, spend, waitSeconds } from '../../lib/domain/limits.ts'
import { check } from '../support/vitest/seeded.ts'

const second = 1_000_000
const start = Date.UTC(2026, 10, 22) * 1000

const limits: fc.Arbitrary<Limit> = fc.record({
  name: fc.constant('player_details' as const),
  count: fc.integer({ min: 1, max: 10_000_000 }),
  perSeconds: fc.constantFrom(60, 3_600, 86_400),
})

/** Requests, each with the seconds since the request before and the amount that it spends. */
const requests = fc.array(
  fc.record({ after: fc.nat({ max: 100_000 }), amount: fc.integer({ min: 1, max: 5 }) }),
  { minLength: 1, maxLength: 60 },
)

describe('D47: a limit', () => {
  const limit: Limit = { name: 'player_details', count: 3, perSeconds: 60 }

  test('D47: permits its count at once, and then one after each part of its period', () => {
    let state: number | undefined
    for (let request = 0; request < 3; request += 1) {
      expect(waitSeconds(limit, state, start)).toBeUndefined()
      state = spend(limit, state, 1, start)
    }
    expect(waitSeconds(limit, state, start)).toBe(20)
    expect(waitSeconds(limit, state, start + 19.5 * second)).toBe(1)
    expect(waitSeconds(limit, state, start + 20 * second)).toBeUndefined()
    state = spend(limit, state, 1, start + 20 * second)
    expect(waitSeconds(limit, state, start + 20 * second)).toBe(20)
    expect(waitSeconds(limit, state, start + 40 * second)).toBeUndefined()
  })

  test('D47: an amount beyond the limit is paid back before another request is permitted', () => {
    const state = spend(limit, undefined, 64, start)
    expect(waitSeconds(limit, state, start)).toBe(62 * 20)
    expect(waitSeconds(limit, state, start + 1239 * second)).toBe(1)
    expect(waitSeconds(limit, state, start + 1240 * second)).toBeUndefined()
  })

  test('D47: time without use gives no credit', () => {
    const state = spend(limit, spend(limit, undefined, 1, start), 1, start + 3_600 * second)
    expect(state).toBe(start + 3_620 * second)
  })

  test('D47: requests exceed the count by less than the amount of the last one, beside what time gives back', () => {
    check(
      fc.property(limits, requests, (any, sent) => {
        let state: number | undefined
        let now = start
        let granted = 0
        let last = 0
        for (const { after, amount } of sent) {
          now += after * second
          if (waitSeconds(any, state, now) !== undefined) continue
          state = spend(any, state, amount, now)
          granted += amount
          last = amount
        }
        const givenBack = ((now - start) * any.count) / (any.perSeconds * second)
        expect(granted - last + 1).toBeLessThanOrEqual(any.count + givenBack)
      }),
      1_000,
    )
  })

  test('D47: a refused request is permitted after the seconds that the response gave, and not a second before', () => {
    check(
      fc.property(limits, fc.integer({ min: 1, max: 10_000_000 }), (any, amount) => {
        const state = spend(any, undefined, amount, start)
        const wait = waitSeconds(any, state, start)
        expect(wait === undefined).toBe(state <= lastPermittedState(any, start))
        if (wait === undefined) return
        expect(waitSeconds(any, state, start + wait * second)).toBeUndefined()
        expect(waitSeconds(any, state, start + (wait - 1) * second)).toBe(1)
      }),
      1_000,
    )
  })

  test('D47: states are whole microseconds, which DynamoDB adds exactly', () => {
    check(
      fc.property(limits, fc.integer({ min: 1, max: 1_000_000 }), (any, amount) => {
        expect(spend(any, undefined, amount, start)).toSatisfy(Number.isSafeInteger)
      }),
    )
  })

  test('D47: of several exhausted limits, the error names the one with the longest wait', () => {
    const byDay: Limit = { name: 'indexer_calls_by_day', count: 10, perSeconds: 86_400 }
    const states = {
      player_details: spend(limit, undefined, 4, start),
      indexer_calls_by_day: spend(byDay, undefined, 10, start),
    }
    const refusal = (of: readonly Limit[]) => () => permit(of, states, start)
    expect(refusal([limit, byDay])).toThrow(
      expect.objectContaining({ limit: byDay, retryAfterSeconds: 8_640 }),
    )
    expect(refusal([byDay])).toThrow(
      expect.objectContaining({ limit: byDay, retryAfterSeconds: 8640 }),
    )
    expect(refusal([])).not.toThrow()
    expect(() => permit([limit, byDay], {}, start)).not.toThrow()
  })
})

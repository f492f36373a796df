import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Limit, type LimitName, limitsByNetwork } from '../../../lib/domain/limit/limit.ts'
import {
  type ConditionalSpending,
  halfIsLeft,
  type LimitStates,
  lastPermittedState,
  permit,
  spend,
  spendWhatIsLeft,
  type UnusedUnits,
  waitSeconds,
} from '../../../lib/domain/limit/limits.ts'
import { check } from '../../support/vitest/seeded.ts'

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

  test('D153: has half left until more than half of it is spent, and again when that is paid back', () => {
    const four: Limit = { ...limit, count: 4 }
    const other: Limit = { name: 'nfts', count: 10, perSeconds: 3_600 }
    const states = { player_details: spend(four, undefined, 2, start) }
    expect(halfIsLeft([four, other], states, start)).toBe(true)
    const more = { player_details: spend(four, states.player_details, 1, start) }
    expect(halfIsLeft([four, other], more, start)).toBe(false)
    expect(halfIsLeft([other], more, start)).toBe(true)
    expect(halfIsLeft([four, other], more, start + 15 * second)).toBe(true)
    const both = { ...states, nfts: spend(other, undefined, 6, start) }
    expect(halfIsLeft([four, other], both, start)).toBe(false)
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

/** The states of limits in one place, which conditional changes reach in any order. */
function stored() {
  let states: LimitStates = {}
  const after = (state: number | undefined, change: ConditionalSpending): number | undefined => {
    if ('next' in change) return (state ?? 0) <= change.upTo ? change.next : undefined
    return state !== undefined && state <= change.upTo ? state + change.add : undefined
  }
  return {
    read: () => states,
    /** Makes all changes, or none if the condition of one is not met. */
    write(changes: Partial<Record<LimitName, ConditionalSpending>>): boolean {
      const next = Object.entries(changes).map(
        ([name, change]) => [name, after(states[name as LimitName], change)] as const,
      )
      if (next.some(([, state]) => state === undefined)) return false
      states = { ...states, ...Object.fromEntries(next) }
      return true
    },
  }
}

const none: UnusedUnits = { count: 0, spentAt: 0 }

/** The units that were used, with the time at which they were spent. */
type Used = readonly { at: number; count: number }[]

/** The most by which the used units exceed the count of a limit, beside what time gave back between them. */
function excessOf({ count, perSeconds }: Limit, used: Used): number {
  const windows = used.flatMap((first, from) =>
    used.slice(from).map((last, index) => {
      const units = used.slice(from, from + index + 1).reduce((sum, each) => sum + each.count, 0)
      return units - count - ((last.at - first.at) * count) / (perSeconds * second)
    }),
  )
  return Math.max(0, ...windows)
}

describe('D78: units that are spent before they are used', () => {
  const byMinute: Limit = { name: 'indexer_calls_by_minute', count: 20, perSeconds: 60 }
  const byDay: Limit = { name: 'indexer_calls_by_day', count: 50, perSeconds: 86_400 }
  const both = [byMinute, byDay]

  test('D78: as many are spent as all limits have left, and none beyond', () => {
    const spent = (states: LimitStates, wanted: number) =>
      spendWhatIsLeft(both, { states, unused: none }, wanted, start).amount
    expect(spent({}, 8)).toBe(8)
    expect(spent({}, 64)).toBe(20)
    const day = (amount: number) => ({
      indexer_calls_by_day: spend(byDay, undefined, amount, start),
    })
    expect(spent(day(45), 64)).toBe(5)
    expect(spent(day(50), 64)).toBe(0)
    expect(() => permit(both, day(50), start, 4)).toThrow(
      expect.objectContaining({ limit: byDay, retryAfterSeconds: 4 * 1_728 }),
    )
  })

  test('D78: unused units are given back, less what time has paid back of them', () => {
    const states = { indexer_calls_by_minute: spend(byMinute, undefined, 20, start) }
    const left = (count: number, seconds: number) => {
      const unused = { count, spentAt: start }
      return spendWhatIsLeft([byMinute], { states, unused }, 64, start + seconds * second).amount
    }
    expect(left(0, 0)).toBe(0)
    expect(left(12, 0)).toBe(12)
    // Four units were paid back by time, whether they were used or not.
    expect(left(12, 12)).toBe(12)
    expect(left(12, 48)).toBe(16)
    expect(left(20, 6)).toBe(20)
  })

  test('D78: no interleaving of containers that read late, leave units unused or crash exceeds a limit', () => {
    const step = fc.record({
      container: fc.nat({ max: 3 }),
      reads: fc.boolean(),
      after: fc.oneof(fc.constant(0), fc.nat({ max: 90_000 })),
      wanted: fc.integer({ min: 1, max: 64 }),
      used: fc.integer({ min: 0, max: 64 }),
      crashes: fc.boolean(),
    })
    const steps = fc.array(step, { minLength: 1, maxLength: 60 })
    check(
      fc.property(steps, (sent) => {
        const table = stored()
        const containers = Array.from({ length: 4 }, () => ({
          states: {} as LimitStates,
          unused: none,
        }))
        const used: { at: number; count: number }[] = []
        let now = start
        for (const { container, reads, after, wanted, crashes, ...request } of sent) {
          now += after * 1_000
          const known = containers[container] as (typeof containers)[number]
          if (reads) known.states = table.read()
          const { amount, changes } = spendWhatIsLeft(both, known, wanted, now)
          if (amount === 0 || !table.write(changes)) continue
          const count = Math.min(request.used, amount)
          used.push({ at: now, count })
          known.unused = crashes ? none : { count: amount - count, spentAt: now }
        }
        for (const limit of both) expect(excessOf(limit, used)).toBeLessThanOrEqual(0.001)
      }),
      3_000,
    )
  })
})

const limit = { name: 'sign_ins_by_address', count: 600, perSeconds: 3_600 } as const

test.each([
  ['2001:db8:85a3:8d3::/64', '2001:db8:85a3::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
])('D140: the limits of %s are also those of %s, ten times as many', (network, wider) => {
  expect(limitsByNetwork(network, [limit])).toEqual([
    { network, limits: [limit] },
    { network: wider, limits: [{ ...limit, count: 6_000 }] },
  ])
})

test.each(['192.0.2.1', 'unknown'])('D140: the limits of %s are those of no other', (network) => {
  expect(limitsByNetwork(network, [limit])).toEqual([{ network, limits: [limit] }])
})

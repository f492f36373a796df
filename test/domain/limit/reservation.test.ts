import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IndexerUnavailable, RateLimited } from '../../../lib/domain/failures.ts'
import { CallsSpent, type Reserve, reservation } from '../../../lib/domain/limit/reservation.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const limit = { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 } as const

/** Reserves out of a number of calls, and records what is wanted. */
function budgetOf(left: number) {
  const wanted: { calls: number; made: number }[] = []
  let granted = 0
  const reserve: Reserve = async (calls, made) => {
    wanted.push({ calls, made })
    const amount = Math.min(calls, left - granted)
    if (amount === 0) throw new RateLimited(limit, 4)
    granted += amount
    return amount
  }
  return { reserve, wanted, granted: () => granted }
}

const takeAll = async (count: number, take: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, take))
}

describe('D78: the indexer calls that a request has reserved', () => {
  test('D78: nothing is reserved before the first call, and nothing more while reserved calls are left', async () => {
    const { reserve, wanted } = budgetOf(100)
    const { take, end } = reservation(3, reserve)
    expect(wanted).toEqual([])
    for (let call = 0; call < 3; call += 1) await take()
    expect(wanted).toEqual([{ calls: 3, made: 0 }])
    expect(end()).toBe(3)
  })

  test('D78: so are calls that timers of no time delay, of which a busy machine can fire some later', async () => {
    const { reserve, wanted } = budgetOf(100)
    const { take } = reservation(1, reserve)
    const takeByTimer = async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 0)
      })
      await take()
    }
    const first = takeByTimer()
    // The timer of the first call is over, and that of the second is not.
    for (const until = Date.now() + 3; Date.now() < until; );
    await Promise.all([first, takeByTimer()])
    expect(wanted).toEqual([{ calls: 2, made: 0 }])
  })

  test('D78: a request that needs more reserves again, half as many as before', async () => {
    const { reserve, wanted } = budgetOf(100)
    const { take } = reservation(4, reserve)
    for (let call = 0; call < 10; call += 1) await take()
    expect(wanted).toEqual([
      { calls: 4, made: 0 },
      { calls: 2, made: 4 },
      { calls: 3, made: 6 },
      { calls: 5, made: 9 },
    ])
  })

  test('D78: without a call left, the first call is refused as a request is, and a later one as spent', async () => {
    const none = reservation(1, budgetOf(0).reserve)
    const refusal = await none.take().catch((error) => error)
    expect(refusal).toBeInstanceOf(RateLimited)
    expect(refusal).not.toBeInstanceOf(CallsSpent)
    const few = reservation(8, budgetOf(2).reserve)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, few.take))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    await expect(few.take()).rejects.toThrow(
      expect.objectContaining({ constructor: CallsSpent, limit, retryAfterSeconds: 4 }),
    )
    expect(few.end()).toBe(2)
  })

  test('D78: another failure of reserving is the failure of the call', async () => {
    const failure = new IndexerUnavailable('test')
    const { take } = reservation(1, () => Promise.reject(failure))
    await expect(take()).rejects.toBe(failure)
  })

  test('D78: no call is taken after the end, not even one that was reserved before', async () => {
    const slow = Promise.withResolvers<number>()
    const { take, end } = reservation(2, () => slow.promise)
    const waiting = take()
    expect(end()).toBe(0)
    slow.resolve(2)
    await expect(waiting).rejects.toThrow('after the end')
    await expect(take()).rejects.toThrow('after the end')
  })

  test('D78: whatever the order of calls and reservations, no more calls are taken than reserved', async () => {
    const calls = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 })
    const sizes = { left: fc.nat({ max: 60 }), expected: fc.integer({ min: 1, max: 20 }) }
    await checkAsync(
      fc.asyncProperty(fc.scheduler(), calls, fc.record(sizes), async (s, groups, of) => {
        const { reserve, granted } = budgetOf(of.left)
        const slow: Reserve = (...wanted) =>
          s.schedule(Promise.resolve()).then(() => reserve(...wanted))
        const { take, end } = reservation(of.expected, slow)
        let taken = 0
        const one = async () => {
          await take()
          taken += 1
          expect(taken).toBeLessThanOrEqual(granted())
        }
        const refused: unknown[] = []
        const all = groups.map(async (count) => {
          await s.schedule(Promise.resolve())
          await takeAll(count, () => one().catch((error) => void refused.push(error)))
        })
        await s.waitFor(Promise.all(all))
        const total = groups.reduce((sum, count) => sum + count, 0)
        // Every call that can be made is made.
        expect(taken).toBe(Math.min(total, of.left))
        expect(end()).toBe(taken)
        for (const error of refused) expect(error).toBeInstanceOf(RateLimited)
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { defaultThrottle, routeThrottles } from '../../../infra/api/throttles.ts'
import { reservedConcurrency } from '../../../infra/settings/reserved-concurrency.ts'
import { functionTimeoutSeconds } from '../../../lib/domain/time-budget.ts'

const registration = 'POST /api/public/v1/product'
const details = ['GET /api/public/v1/player/details', 'GET /api/public/v1/player/balance']
const playerTokens = 'GET /api/public/v1/player/token'

describe.each([40, 1_000, 100_000])('without reservations, in an account with %i', (quota) => {
  const account = {
    accountConcurrency: quota,
    reservedConcurrency: 'none',
    slowestOpenCallSeconds: functionTimeoutSeconds,
  } as const
  const throttles = routeThrottles(account)

  test('no open operation can take more than a quarter of the concurrency', () => {
    const atOnce = ({ rateLimit = 0, burstLimit = 0 } = {}) =>
      burstLimit + rateLimit * account.slowestOpenCallSeconds
    const ofDetails = details.reduce((sum, route) => sum + atOnce(throttles[route]), 0)
    const others = Object.keys(throttles).filter((route) => !details.includes(route))
    for (const taken of [ofDetails, ...others.map((route) => atOnce(throttles[route]))]) {
      expect(taken).toBeLessThanOrEqual(account.accountConcurrency / 4)
      expect(taken).toBeGreaterThan(0)
    }
  })

  test('registration has the lowest throttle', () => {
    const { [registration]: slowest, ...others } = throttles
    const rates = [...Object.values(others), defaultThrottle(account)].map((each) => each.rateLimit)
    expect(slowest?.rateLimit).toBeLessThan(Math.min(...rates))
    expect(slowest?.rateLimit).toBeGreaterThan(0)
  })

  test('only open routes have a throttle of their own', () => {
    expect(Object.keys(throttles)).not.toContain(playerTokens)
  })
})

describe.each([500, 1_000, 100_000, 1_000_000])(
  'with reservations, in an account with %i',
  (quota) => {
    const account = {
      accountConcurrency: quota,
      reservedConcurrency: {},
      slowestOpenCallSeconds: functionTimeoutSeconds,
    }
    const throttles = routeThrottles(account)

    test('a throttle is what Lambda accepts for the reservation, on all paths of the operation together', () => {
      const { registerProduct = 0, getPlayerDetails = 0 } = reservedConcurrency(account)
      expect(throttles[registration]).toEqual({
        rateLimit: Math.min(registerProduct * 10, 10_000),
        burstLimit: Math.min(registerProduct, 5_000),
      })
      const rate = details.reduce((sum, route) => sum + (throttles[route]?.rateLimit ?? 0), 0)
      expect(rate).toBe(Math.min(getPlayerDetails * 10, 10_000))
      expect(throttles).toHaveProperty([playerTokens])
    })

    test('garbage at one operation that needs no API key leaves the executions of all others', () => {
      const reserved = Object.values(reservedConcurrency(account))
      expect(Math.max(...reserved)).toBeLessThan(quota / 4)
    })

    test('no throttle exceeds the limit of API Gateway', () => {
      for (const { rateLimit, burstLimit } of [
        ...Object.values(throttles),
        defaultThrottle(account),
      ]) {
        expect(rateLimit).toBeLessThanOrEqual(10_000)
        expect(burstLimit).toBeLessThanOrEqual(5_000)
        expect(Number.isInteger(burstLimit)).toBe(true)
      }
    })
  },
)

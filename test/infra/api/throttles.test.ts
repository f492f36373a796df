import { describe, expect, test } from 'vitest'
import { smallQuota, usualQuota } from '../../../infra/api/gateway-quota.ts'
import { defaultThrottle, routeThrottles } from '../../../infra/api/throttles.ts'
import { reservedConcurrency } from '../../../infra/settings/reserved-concurrency.ts'
import { functionTimeoutSeconds } from '../../../lib/domain/time-budget.ts'

const registration = 'POST /api/public/v1/product'
const details = ['GET /api/public/v1/player/details', 'GET /api/public/v1/player/balance']
const playerTokens = 'GET /api/public/v1/player/token'

const withoutReservations = (accountConcurrency: number) =>
  ({
    accountConcurrency,
    reservedConcurrency: 'none',
    slowestOpenCallSeconds: functionTimeoutSeconds,
  }) as const

describe.each([1_000, 100_000])('without reservations, in an account with %i', (quota) => {
  const account = withoutReservations(quota)
  const throttles = routeThrottles(account, usualQuota)

  test('no open operation can take more than a quarter of the concurrency', () => {
    const atOnce = ({ rateLimit = 0, burstLimit = 0 } = {}) =>
      burstLimit + rateLimit * account.slowestOpenCallSeconds
    const ofDetails = details.reduce((sum, route) => sum + atOnce(throttles[route]), 0)
    const others = Object.keys(throttles).filter((route) => !details.includes(route))
    for (const taken of [ofDetails, ...others.map((route) => atOnce(throttles[route]))]) {
      expect(taken).toBeLessThanOrEqual(account.accountConcurrency / 4)
    }
  })
})

describe.each([10, 40, 1_000, 100_000])('without reservations, in an account with %i', (quota) => {
  const account = withoutReservations(quota)
  const { [registration]: ofRegistration, ...others } = routeThrottles(account, usualQuota)

  test('an open route accepts five calls at once and one a second, or more', () => {
    expect(Object.keys(others)).toEqual(expect.arrayContaining(details))
    for (const { rateLimit, burstLimit } of Object.values(others)) {
      expect(rateLimit).toBeGreaterThanOrEqual(1)
      expect(burstLimit).toBeGreaterThanOrEqual(5)
    }
  })

  test('registration accepts two calls at once and one in five seconds, or more, and has the lowest throttle', () => {
    expect(ofRegistration?.rateLimit).toBeGreaterThanOrEqual(0.2)
    expect(ofRegistration?.burstLimit).toBeGreaterThanOrEqual(2)
    const rates = [...Object.values(others), defaultThrottle(account, usualQuota)].map(
      (each) => each.rateLimit,
    )
    expect(ofRegistration?.rateLimit).toBeLessThan(Math.min(...rates))
  })

  test('only open routes have a throttle of their own', () => {
    expect(Object.keys(others)).not.toContain(playerTokens)
  })
})

test('an account with 10 has exactly the least of the open routes', () => {
  const throttles = routeThrottles(withoutReservations(10), usualQuota)
  expect(throttles[registration]).toEqual({ rateLimit: 0.2, burstLimit: 2 })
  for (const route of details) {
    expect(throttles[route]).toEqual({ rateLimit: 1, burstLimit: 5 })
  }
})

describe.each([500, 1_000, 100_000, 1_000_000])(
  'with reservations, in an account with %i',
  (quota) => {
    const account = {
      accountConcurrency: quota,
      reservedConcurrency: {},
      slowestOpenCallSeconds: functionTimeoutSeconds,
    }
    const throttles = routeThrottles(account, usualQuota)

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
  },
)

describe.each([
  ['most Regions', usualQuota],
  ['some Regions', smallQuota],
  ['a small account', { rateLimit: 1, burstLimit: 1 }],
])('with the quota of API Gateway of %s', (_, quota) => {
  test.each([10, 500, 1_000_000])(
    'no throttle of an account with %i exceeds the quota',
    (accountConcurrency) => {
      const all = ([{}, 'none'] as const).flatMap((reservedConcurrency) => {
        const account = { ...withoutReservations(accountConcurrency), reservedConcurrency }
        return [...Object.values(routeThrottles(account, quota)), defaultThrottle(account, quota)]
      })
      for (const { rateLimit, burstLimit } of all) {
        expect(rateLimit).toBeLessThanOrEqual(quota.rateLimit)
        expect(rateLimit).toBeGreaterThan(0)
        expect(burstLimit).toBeLessThanOrEqual(quota.burstLimit)
        expect(burstLimit).toBeGreaterThan(0)
        expect(Number.isInteger(burstLimit)).toBe(true)
      }
    },
  )
})

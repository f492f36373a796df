import { describe, expect, test } from 'vitest'
import { defaultThrottle, openThrottles } from '../../infra/throttles.ts'
import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'

const registration = 'POST /api/public/v1/product'
const details = ['GET /api/public/v1/player/details', 'GET /api/public/v1/player/balance']
const accounts = [40, 1_000, 100_000].flatMap((accountConcurrency) =>
  [
    { indexerUnitsPerSecond: 500, slowestOpenCallSeconds: functionTimeoutSeconds },
    { indexerUnitsPerSecond: 10_000, slowestOpenCallSeconds: functionTimeoutSeconds },
    { indexerUnitsPerSecond: 100_000, slowestOpenCallSeconds: 2 },
  ].map((settings) => ({ accountConcurrency, ...settings })),
)

describe.each(accounts)('in an account with %j', (account) => {
  const throttles = openThrottles(account)

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

  test('balances take at most a quarter of the compute units of the indexer', () => {
    const rate = details.reduce((sum, route) => sum + (throttles[route]?.rateLimit ?? 0), 0)
    expect(rate * 5 * 20).toBeLessThanOrEqual(account.indexerUnitsPerSecond / 4)
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

  test('registration has the lowest throttle', () => {
    const { [registration]: slowest, ...others } = throttles
    const rates = [...Object.values(others), defaultThrottle(account)].map((each) => each.rateLimit)
    expect(slowest?.rateLimit).toBeLessThan(Math.min(...rates))
    expect(slowest?.rateLimit).toBeGreaterThan(0)
  })
})

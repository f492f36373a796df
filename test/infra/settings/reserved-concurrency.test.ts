import { describe, expect, test } from 'vitest'
import {
  concurrencyFaults,
  delivererConcurrency,
  delivererReservation,
  followerReservation,
  reservedConcurrency,
  reservedExecutions,
} from '../../../infra/settings/reserved-concurrency.ts'

const sum = (reserved: Record<string, number>) =>
  Object.values(reserved).reduce((total, each) => total + each, 0)

describe('the reserved concurrency of the functions', () => {
  test('has a default for each function that can be called without an API key', () => {
    expect(reservedConcurrency({ accountConcurrency: 1_000, reservedConcurrency: {} })).toEqual({
      createPlayerToken: 90,
      getPlayerDetails: 90,
      getPublicKey: 27,
      getKeySet: 27,
      getOpenapi: 27,
      registerProduct: 9,
    })
  })

  test('D113: has more with sign-in with wallets, and the others keep theirs', () => {
    const settings = { accountConcurrency: 1_000, reservedConcurrency: {} }
    const { createToken, signIn, createSignInMessage, authorizeDevice, ...others } =
      reservedConcurrency({ ...settings, walletSignIn: {} })
    expect([createToken, signIn, createSignInMessage, authorizeDevice]).toEqual([72, 45, 36, 18])
    expect(others).toEqual(reservedConcurrency(settings))
  })

  test.each([10, 50, 100, 110, 150])(
    'has no defaults in an account with %i executions, because Lambda would reject them',
    (accountConcurrency) => {
      expect(reservedConcurrency({ accountConcurrency, reservedConcurrency: {} })).toEqual({})
    },
  )

  test.each([200, 500, 1_000, 10_000, 1_000_000])(
    'the defaults leave at least half of %i executions and never throttle a function to less than 5',
    (accountConcurrency) => {
      const reserved = reservedConcurrency({ accountConcurrency, reservedConcurrency: {} })
      expect(Object.keys(reserved)).toHaveLength(6)
      expect(sum(reserved)).toBeLessThanOrEqual((accountConcurrency - 100) / 2)
      expect(Math.min(...Object.values(reserved))).toBeGreaterThanOrEqual(5)
    },
  )

  test('settings replace defaults, null removes them, and none removes them all', () => {
    const own = { registerProduct: 2, getOpenapi: null, workQueue: 7 }
    const reserved = reservedConcurrency({ accountConcurrency: 1_000, reservedConcurrency: own })
    expect(reserved).toMatchObject({ registerProduct: 2, workQueue: 7, getPlayerDetails: 89 })
    expect(reserved).not.toHaveProperty('getOpenapi')
    expect(reservedConcurrency({ accountConcurrency: 1_000, reservedConcurrency: 'none' })).toEqual(
      {},
    )
  })

  test('settings that leave too little for the defaults are reserved without them', () => {
    const own = { getRawMetadata: 880 }
    expect(reservedConcurrency({ accountConcurrency: 1_000, reservedConcurrency: own })).toEqual(
      own,
    )
  })
})

describe('D152: the reserved concurrency of the follower', () => {
  const followedChains = ['POLYGON', 'BSC', 'POLYGON']
  const inAccount = (accountConcurrency: number, own: Record<string, number> = {}) => ({
    ...{ accountConcurrency, reservedConcurrency: own, followedChains },
  })

  test('is counted beside the reservations of the other functions', () => {
    const settings = inAccount(1_000, { getRawMetadata: 100 })
    const others = sum(reservedConcurrency(settings))
    expect(followerReservation(settings)).toBe(2)
    expect(reservedExecutions(settings)).toBe(others + 2)
    // Shares of what 1,000 executions leave after the 100 of Lambda, those of the setting and those of the follower.
    expect(reservedConcurrency(settings).getPlayerDetails).toBe(79)
  })

  test.each([
    ['an account with 10 executions', inAccount(10)],
    ['an account with 100 executions', inAccount(100)],
    ['an account with room for one execution', inAccount(101)],
    ['an account that the setting has used up', inAccount(1_000, { getRawMetadata: 900 })],
    [
      'the setting none',
      { accountConcurrency: 1_000, reservedConcurrency: 'none', followedChains } as const,
    ],
  ])('is none in %s', (_, settings) => {
    expect(followerReservation(settings)).toBeUndefined()
    expect(reservedExecutions(settings)).toBe(sum(reservedConcurrency(settings)))
  })
})

describe('D122: the reserved concurrency of deliveries to webhooks', () => {
  const inAccount = (
    accountConcurrency: number,
    reservedConcurrency: 'none' | Record<string, number | null> = {},
  ) => ({ accountConcurrency, reservedConcurrency, followedChains: ['POLYGON'], webhooks: {} })

  test('is what they use at most, and one for the sweep, beside those of the other functions', () => {
    const settings = inAccount(1_000)
    expect(delivererConcurrency(settings)).toEqual({ deliveries: 10, tests: 5 })
    expect(delivererReservation(settings)).toBe(16)
    const others = sum(reservedConcurrency(settings))
    expect(reservedExecutions(settings)).toBe(others + 2 + 16)
    // Shares of what 1,000 executions leave after the 100 of Lambda, those of the follower and those of deliveries.
    expect(reservedConcurrency(settings).getPlayerDetails).toBe(88)
  })

  test.each([
    [10, 2, 2],
    [50, 5, 2],
    [100, 10, 5],
    [100_000, 10, 5],
  ])(
    'takes at most a tenth of %i executions for deliveries, and two at least: %i, and half as many for tests: %i',
    (account, deliveries, tests) => {
      expect(delivererConcurrency(inAccount(account))).toEqual({ deliveries, tests })
    },
  )

  test.each([
    [5, 2, 2],
    [10, 6, 3],
    [51, 45, 5],
  ])(
    'is that of the setting: of %i, %i are for deliveries, %i for tests, one for the sweep',
    (all, deliveries, tests) => {
      const settings = inAccount(1_000, { deliverWebhooks: all })
      expect(delivererConcurrency(settings)).toEqual({ deliveries, tests })
      expect(delivererReservation(settings)).toBe(all)
      expect(reservedConcurrency(settings)).not.toHaveProperty('deliverWebhooks')
      expect(reservedExecutions(settings)).toBe(sum(reservedConcurrency(settings)) + 2 + all)
    },
  )

  test('is none without webhooks, with null and with none, and where it has no room', () => {
    const { webhooks: _, ...without } = inAccount(1_000)
    const unreserved = [
      ...[without, inAccount(1_000, { deliverWebhooks: null }), inAccount(1_000, 'none')],
      inAccount(1_000, { getRawMetadata: 883 }),
    ]
    for (const settings of unreserved) expect(delivererReservation(settings)).toBeUndefined()
    expect(delivererReservation(inAccount(1_000, { getRawMetadata: 882 }))).toBe(16)
  })

  test('of less than five is refused', () => {
    const faults = (deliverWebhooks: number) =>
      concurrencyFaults(inAccount(1_000, { deliverWebhooks }))
    expect(faults(5)).toEqual([])
    expect(faults(4)).toEqual([
      'reservedConcurrency.deliverWebhooks must be at least 5, because each of its two queues invokes the function at least 2 times at once, and its schedule once more',
    ])
  })
})

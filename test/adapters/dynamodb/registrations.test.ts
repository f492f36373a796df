import { describe, expect, test, vi } from 'vitest'
import { dynamoRegistrations } from '../../../lib/adapters/dynamodb/registrations.ts'
import { permitted, startTable } from './stored-fixture.ts'

const { items, refuse, requestsOf, table } = await startTable()

const inAll = { name: 'registrations', count: 10, perSeconds: 3_600 } as const

const byAddress = { name: 'registrations_by_address', count: 3, perSeconds: 3_600 } as const

/** An hour that no other test uses, and its last second. */
let hour = 500_000

const nextHour = () => {
  hour += 1
  vi.useFakeTimers({ toFake: ['Date'], now: (hour + 1) * 3_600_000 - 60_000 })
}

const newContainer = (limits = { inAll, byAddress } as Parameters<typeof dynamoRegistrations>[1]) =>
  dynamoRegistrations(table, limits)

/** The number of registrations that are granted, and the limit that refuses the others. */
const registerFrom = (addresses: readonly string[], containers = [newContainer()]) =>
  permitted(
    addresses.map((address, index) =>
      (containers[index % containers.length] as ReturnType<typeof newContainer>).count(address),
    ),
  )

const times = (count: number, address: string) => Array.from({ length: count }, () => address)

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`)

describe('D47: registrations', () => {
  test('D47: are limited by address exactly, also in parallel and in several containers', async () => {
    nextHour()
    const containers = Array.from({ length: 3 }, () => newContainer())
    const { count, refusals } = await registerFrom(times(12, '192.0.2.1'), containers)
    expect(count).toBe(3)
    expect(refusals[0]).toMatchObject({ limit: byAddress, retryAfterSeconds: 60 })
    expect((await registerFrom(times(2, '192.0.2.2'), containers)).count).toBe(2)
  })

  test('D47: are limited in all exactly; a refused address uses nothing of this limit', async () => {
    nextHour()
    const containers = Array.from({ length: 3 }, () => newContainer())
    expect((await registerFrom(times(50, '192.0.2.100'), containers)).count).toBe(3)
    const { count, refusals } = await registerFrom(addresses(20), containers)
    expect(count).toBe(7)
    expect(refusals[0]).toMatchObject({ limit: inAll, retryAfterSeconds: 60 })
  })

  test('D47: begin anew with each hour', async () => {
    nextHour()
    const container = newContainer()
    expect((await registerFrom(times(5, '192.0.2.1'), [container])).count).toBe(3)
    nextHour()
    expect((await registerFrom(times(5, '192.0.2.1'), [container])).count).toBe(3)
  })

  test('D47: a container remembers a refusal, so that further requests do not reach the table', async () => {
    nextHour()
    const container = newContainer()
    await registerFrom(times(4, '192.0.2.1'), [container])
    const again = () => registerFrom(times(100, '192.0.2.1'), [container])
    expect(await requestsOf(again)).toEqual([])
    expect(await requestsOf(() => registerFrom(['192.0.2.2'], [container]))).toEqual(['UpdateItem'])
  })

  test('D47: without limits nothing is counted', async () => {
    const none = newContainer({ inAll: undefined, byAddress: undefined })
    const register = async () =>
      expect((await registerFrom(times(20, '192.0.2.1'), [none])).count).toBe(20)
    expect(await requestsOf(register)).toEqual([])
  })

  test.each([
    [{ inAll, byAddress: undefined }, 10, inAll],
    [{ inAll: undefined, byAddress }, 3, byAddress],
  ])('D47: one limit without the other: %j', async (limits, granted, limit) => {
    nextHour()
    const { count, refusals } = await registerFrom(times(12, '192.0.2.1'), [newContainer(limits)])
    expect(count).toBe(granted)
    expect(refusals[0]).toMatchObject({ limit })
  })

  test('D140: a /48 has ten times the limit of each /64 in it', async () => {
    nextHour()
    const container = newContainer({ inAll: undefined, byAddress })
    for (let group = 0; group < 10; group += 1)
      expect((await registerFrom(times(4, `2001:db8:1:${group}::/64`), [container])).count).toBe(3)
    const { count, refusals } = await registerFrom(['2001:db8:1:a::/64'], [container])
    expect([count, refusals[0].limit]).toEqual([0, { ...byAddress, count: 30 }])
    expect((await registerFrom(['2001:db8:2:a::/64'], [container])).count).toBe(1)
  })

  test('D47: a throttled counter refuses nobody', async () => {
    nextHour()
    refuse('ProvisionedThroughputExceededException')
    expect((await registerFrom(times(5, '192.0.2.1'))).count).toBe(5)
  })

  test('D47: the table contains no source address, and deletes the counters of an hour', async () => {
    nextHour()
    await registerFrom(['198.51.100.7'])
    expect(await items.with('198.51.100.7')).toEqual([])
    expect(await items.with(`REGISTRATIONS#${hour}`)).toMatchObject([
      { all: 1, expiresAt: (hour + 25) * 3_600 },
    ])
  })
})

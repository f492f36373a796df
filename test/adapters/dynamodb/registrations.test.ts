import { afterEach, describe, expect, test, vi } from 'vitest'
import { dynamoRegistrations } from '../../../lib/adapters/dynamodb/registrations.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { ScanCommand } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

const aws = await startTestAws()

const table = openTable()

const inAll = { name: 'registrations', count: 10, perSeconds: 3_600 } as const

const byAddress = { name: 'registrations_by_address', count: 3, perSeconds: 3_600 } as const

/** An hour that no other test uses, and its last second. */
let hour = 500_000

const nextHour = () => {
  hour += 1
  vi.useFakeTimers({ toFake: ['Date'], now: (hour + 1) * 3_600_000 - 60_000 })
}

afterEach(() => {
  aws.interfere({})
  vi.useRealTimers()
})

const newContainer = (limits = { inAll, byAddress } as Parameters<typeof dynamoRegistrations>[1]) =>
  dynamoRegistrations(openTable(), limits)

/** The number of registrations that are granted, and the limit that refuses the others. */
async function registerFrom(addresses: readonly string[], containers = [newContainer()]) {
  const calls = addresses.map((address, index) =>
    (containers[index % containers.length] as ReturnType<typeof newContainer>).count(address),
  )
  const settled = await Promise.allSettled(calls)
  const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(RateLimited)
  return { granted: settled.length - refusals.length, refusals }
}

const times = (count: number, address: string) => Array.from({ length: count }, () => address)

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`)

describe('D47: registrations', () => {
  test('D47: are limited by address exactly, also in parallel and in several containers', async () => {
    nextHour()
    const containers = Array.from({ length: 3 }, () => newContainer())
    const { granted, refusals } = await registerFrom(times(12, '192.0.2.1'), containers)
    expect(granted).toBe(3)
    expect(refusals[0]).toMatchObject({ limit: byAddress, retryAfterSeconds: 60 })
    expect((await registerFrom(times(2, '192.0.2.2'), containers)).granted).toBe(2)
  })

  test('D47: are limited in all exactly; a refused address uses nothing of this limit', async () => {
    nextHour()
    const containers = Array.from({ length: 3 }, () => newContainer())
    expect((await registerFrom(times(50, '192.0.2.100'), containers)).granted).toBe(3)
    const { granted, refusals } = await registerFrom(addresses(20), containers)
    expect(granted).toBe(7)
    expect(refusals[0]).toMatchObject({ limit: inAll, retryAfterSeconds: 60 })
  })

  test('D47: begin anew with each hour', async () => {
    nextHour()
    const container = newContainer()
    expect((await registerFrom(times(5, '192.0.2.1'), [container])).granted).toBe(3)
    nextHour()
    expect((await registerFrom(times(5, '192.0.2.1'), [container])).granted).toBe(3)
  })

  test('D47: a container remembers a refusal, so that further requests do not reach the table', async () => {
    nextHour()
    const container = newContainer()
    await registerFrom(times(4, '192.0.2.1'), [container])
    const before = aws.proxy.requests.length
    await registerFrom(times(100, '192.0.2.1'), [container])
    expect(aws.proxy.requests).toHaveLength(before)
    await registerFrom(['192.0.2.2'], [container])
    expect(aws.proxy.requests.slice(before).map(({ action }) => action)).toEqual(['UpdateItem'])
  })

  test('D47: without limits nothing is counted', async () => {
    const before = aws.proxy.requests.length
    const none = newContainer({ inAll: undefined, byAddress: undefined })
    expect((await registerFrom(times(20, '192.0.2.1'), [none])).granted).toBe(20)
    expect(aws.proxy.requests).toHaveLength(before)
  })

  test.each([
    [{ inAll, byAddress: undefined }, 10, inAll],
    [{ inAll: undefined, byAddress }, 3, byAddress],
  ])('D47: one limit without the other: %j', async (limits, count, limit) => {
    nextHour()
    const { granted, refusals } = await registerFrom(times(12, '192.0.2.1'), [newContainer(limits)])
    expect(granted).toBe(count)
    expect(refusals[0]).toMatchObject({ limit })
  })

  test('D140: a /48 has ten times the limit of each /64 in it', async () => {
    nextHour()
    const container = newContainer({ inAll: undefined, byAddress })
    for (let group = 0; group < 10; group += 1)
      expect((await registerFrom(times(4, `2001:db8:1:${group}::/64`), [container])).granted).toBe(
        3,
      )
    const { granted, refusals } = await registerFrom(['2001:db8:1:a::/64'], [container])
    expect([granted, refusals[0].limit]).toEqual([0, { ...byAddress, count: 30 }])
    expect((await registerFrom(['2001:db8:2:a::/64'], [container])).granted).toBe(1)
  })

  test('D47: a throttled counter refuses nobody', async () => {
    nextHour()
    aws.interfere({
      onRequest: () => ({
        status: 400,
        body: { __type: 'x#ProvisionedThroughputExceededException' },
      }),
    })
    expect((await registerFrom(times(5, '192.0.2.1'))).granted).toBe(5)
  })

  test('D47: the table contains no source address, and deletes the counters of an hour', async () => {
    nextHour()
    await registerFrom(['198.51.100.7'])
    const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }))
    expect(JSON.stringify(Items)).not.toContain('198.51.100.7')
    const item = Items.find(({ pk }) => pk === `REGISTRATIONS#${hour}`)
    expect(item).toMatchObject({ all: 1, expiresAt: (hour + 25) * 3_600 })
  })
})

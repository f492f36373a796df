import { describe, expect, test } from 'vitest'
import { branded } from '../../lib/domain/branded.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import {
  type SimulatedServer,
  type Simulation,
  simulatedDeployment,
} from '../support/webhooks/simulated-deployment.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

const server = (productId: string, milliseconds: number, more: Partial<SimulatedServer> = {}) => ({
  ...{ productId: branded<ProductId>(productId), answerTime: () => milliseconds },
  ...more,
})
const healthy = { healthy: server('healthy', 80) }

test('D122: the healthy neighbour of a dead, a flooded and ten dripping servers has its events within 5 s, all day', {
  timeout: 600_000,
}, async () => {
  const dripping = Array.from({ length: 10 }, (_, index) => `dripping${index}`)
  const servers = {
    ...healthy,
    dead: server('dead', 15_000, { isDead: true, testTime: 80 }),
    flooded: server('flooded', second),
    ...Object.fromEntries(dripping.map((name) => [name, server(name, 14 * second)])),
  }
  const deployment = simulatedDeployment({ servers, executions: 10 })
  const { ports, log, every, delays, queue, p99Of, runUntil } = deployment
  await deployment.begin()
  await runUntil(deployment.start + 10 * minute)
  const happens = (milliseconds: number, name: keyof typeof servers, count = 1) =>
    void every(milliseconds, () => log(branded(name), count))
  happens(20 * second, 'healthy')
  for (const name of ['dead', 'flooded', ...dripping]) {
    happens(minute, name as 'dead', { dead: 1, flooded: 100 }[name] ?? 5)
  }
  await runUntil(deployment.start + 24 * hour)
  expect(delays.get('healthy')?.length).toBeGreaterThan(4_200)
  expect(p99Of('healthy')).toBeLessThanOrEqual(5 * second)
  // The others are as bad as they are, and nothing of them piles up in the queue.
  expect(delays.get('flooded')?.at(-1)).toBeGreaterThan(hour)
  expect(delays.get('dripping0')?.at(-1)).toBeGreaterThan(10 * minute)
  const [dead] = await ports.webhooks.list(branded('dead'))
  expect(dead?.failures).toBeGreaterThan(5)
  expect(dead?.pausedAt).toBeUndefined()
  expect(queue.length).toBeLessThan(30)
})

/** Ten products with five slow servers each. */
const fifty = (answerTime: SimulatedServer['answerTime'], testTime: number) =>
  Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `slow${index}`,
      server(`slow${index % 10}`, 0, { answerTime, testTime }),
    ]),
  )

/**
 * An hour from `burstMinutes` after the first events of slow servers on, of whose products each has so many in a minute: the 99th
 * percentile of the healthy server's delay, the most executions that have waited for the slow ones, and how long their events took.
 */
async function hourBeside(
  slowServers: Simulation['servers'],
  {
    burstMinutes = 0,
    events = 5,
    ...options
  }: Omit<Simulation, 'servers'> & { burstMinutes?: number; events?: number },
) {
  const deployment = simulatedDeployment({
    ...{ servers: { ...slowServers, ...healthy, newcomer: server('newcomer', 80) } },
    ...options,
  })
  const { log, every, p99Of, slow, runUntil, start, delays } = deployment
  await deployment.begin()
  const begun = start + 20 * minute
  await runUntil(begun)
  const products = new Set(Object.values(slowServers).map(({ productId }) => productId))
  for (const productId of products) void every(minute, () => log(productId, events))
  await runUntil(begun + burstMinutes * minute)
  void every(20 * second, () => log(branded('healthy')))
  const tests: number[] = []
  void every(minute, async () => tests.push(await deployment.test('newcomer', `${tests.length}`)))
  await runUntil(begun + burstMinutes * minute + hour)
  const ofSlow = Object.keys(slowServers).map((name) => delays.get(name) ?? [])
  const all = ofSlow.flat().toSorted((a, b) => a - b)
  return {
    ...{ p99: p99Of('healthy'), mostSlow: slow.most, slowestTest: Math.max(...tests) },
    leastOfSlow: Math.min(...ofSlow.map(({ length }) => length)),
    ...{ delivered: all.length, median: all[Math.floor(all.length / 2)] },
    events: delays.get('healthy')?.length,
  }
}

describe.each([10, 2])('D143: beside 50 slow servers, with %i executions', (executions) => {
  describe.each(['oldest', 'random'] as const)('and a queue that gives %s', (order) => {
    test.each([
      ['14 s for each message', fifty(() => 14 * second, 14 * second), 0],
      // Nobody knows before their first event that they are slow, and each can then wait for two seconds.
      ['14 s for each event', fifty(() => 14 * second, 80), 3],
      ['14 s for every other event', fifty((count) => (count % 2) * 14 * second, 80), 3],
    ])('that take %s, the healthy one is at most 10 s later', async (_, servers, burstMinutes) => {
      const options = { executions, order, burstMinutes }
      const quiet = await hourBeside({}, options)
      const busy = await hourBeside(servers, options)
      expect([quiet.events, busy.events]).toEqual([179, 179])
      expect(busy.p99 - quiet.p99).toBeLessThanOrEqual(10 * second)
      expect(busy.mostSlow).toBe(executions / 2)
      expect(busy.leastOfSlow).toBeGreaterThan(1)
      // As if nobody else were there.
      expect(busy.slowestTest).toBe(quiet.slowestTest)
    })
  })
})

test.each([
  [30, 2.1, 10, 20],
  [60, 2.5, 10, 30],
  [10, 2.1, 2, 20],
])(
  'D143: slow servers get most of what their time allows: %i that take %d s, with %i executions',
  async (count, seconds, executions, median) => {
    const options = { executions, order: 'random', events: 1 } as const
    const names = Array.from({ length: count }, (_, index) => `slow${index}`)
    const slow = Object.fromEntries(names.map((name) => [name, server(name, seconds * second)]))
    const quiet = await hourBeside({}, options)
    const busy = await hourBeside(slow, options)
    // All but those of the last minutes.
    expect(busy.delivered).toBeGreaterThan(count * 57)
    expect(busy.median).toBeLessThanOrEqual(median * second)
    expect(busy.p99 - quiet.p99).toBeLessThanOrEqual(10 * second)
    expect(busy.mostSlow).toBeLessThanOrEqual(executions / 2)
  },
)

/** The tests that come too late of a newcomer who tests every ten seconds for an hour, while ten products test slow servers as often as they may. */
async function lateTestsBeside(executions: number, testExecutions: number): Promise<number> {
  const strangers = Array.from({ length: 10 }, (_, index) => `slow${index}`)
  const slow = Object.fromEntries(strangers.map((name) => [name, server(name, 14 * second)]))
  const servers = { ...slow, newcomer: server('newcomer', 80) }
  const deployment = simulatedDeployment({ servers, executions, testExecutions, order: 'random' })
  const { runUntil, start, every } = deployment
  await deployment.begin()
  await runUntil(start + 20 * minute)
  for (const name of strangers) {
    for (let each = 0; each < 10; each += 1) void deployment.test(name, `${name}-${each}`)
  }
  const tests: number[] = []
  void every(10 * second, async () =>
    tests.push(await deployment.test('newcomer', `${tests.length}`)),
  )
  await runUntil(start + 20 * minute + hour)
  expect(tests.length).toBeGreaterThan(300)
  return tests.filter((each) => each > 24 * second).length
}

test.each([
  [10, 5],
  [2, 2],
])(
  'D150: a hundred slow tests at once delay others for half a minute, with %i executions and %i of tests',
  async (executions, ofTests) => {
    expect(await lateTestsBeside(executions, ofTests)).toBeLessThanOrEqual(3)
  },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSchedule } from '../../lambda/schedule.ts'
import { readLocalSettings } from '../../settings.ts'
import { startSchedules } from '../../triggers.ts'
import { host } from './lambda-fixture.ts'

/** A function that says that it was called and then does what its source says. */
const calling = (then: string) =>
  `exports.handler = async (event) => { console.log('called with ' + event.chain); ${then} }`

/**
 * Starts a schedule of a function; `lines` is the output of the function, and `failures` that
 * of the schedule.
 */
async function schedule(source: string, intervalMilliseconds: number) {
  const { lambda, lines } = await host({ follow: calling(source) })
  const failures: string[] = []
  const calls = { started: 0 }
  const running = startSchedule({
    name: 'follow AMOY',
    invoke: () => {
      calls.started += 1
      return lambda.invoke('follow', { chain: 'AMOY' })
    },
    intervalMilliseconds,
    log: (line) => failures.push(line),
  })
  onTestFinished(() => running.close())
  return { lambda, running, lines, failures, calls }
}

test('calls the function at once, with its event', async () => {
  const { lines, running } = await schedule('', 3_600_000)
  await expect.poll(() => lines).toEqual(['called with AMOY'])
  running.close()
})

test('calls again after the interval, whether or not the call before has ended', async () => {
  const { lines, failures } = await schedule('await new Promise(() => {})', 20)
  await expect.poll(() => lines.length).toBeGreaterThan(3)
  expect(failures).toEqual([])
})

test('starts no call after it was closed, and says nothing about calls in progress', async () => {
  const { lambda, calls, failures, running } = await schedule('await new Promise(() => {})', 20)
  await expect.poll(() => calls.started).toBeGreaterThan(1)
  running.close()
  const { started } = calls
  await lambda.close()
  await sleep(100)
  expect({ started: calls.started, failures }).toEqual({ started, failures: [] })
})

test('says why a call failed, and goes on', async () => {
  const { failures } = await schedule("throw new RangeError('no such chain')", 20)
  await expect.poll(() => failures.length).toBeGreaterThan(2)
  expect(new Set(failures)).toEqual(new Set(['follow AMOY: RangeError: no such chain']))
})

/** The invocations with which the schedules begin. */
function firstCalls(FOLLOWED_CHAINS: string): [name: string, event: unknown][] {
  const calls: [string, unknown][] = []
  const lambda = {
    async invoke(name: string, event: unknown) {
      calls.push([name, event])
      return { ok: true as const, payload: 'null' }
    },
    close: async () => undefined,
  }
  const schedules = startSchedules(readLocalSettings({ FOLLOWED_CHAINS }), lambda)
  onTestFinished(() => schedules.close())
  return calls
}

describe('the schedules of the local stack', () => {
  test('D152, D122: follow the chains, and sweep the webhooks', () => {
    expect(firstCalls('POLYGON')).toEqual([
      ['follow-chains', {}],
      ['deliver-webhooks', { kind: 'sweep' }],
    ])
  })

  test('are none if no chain is followed', () => {
    expect(firstCalls('none')).toEqual([])
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readLocalSettings } from '../../settings.ts'
import { startSchedules } from '../../triggers.ts'
import { host } from './lambda-fixture.ts'

/** Schedules of functions that do what their source says. `calls` are the invocations so far, and `failures` what is said of them. */
async function schedules(source: string, intervalMilliseconds: number, FOLLOWED_CHAINS = 'AMOY') {
  const handler = `exports.handler = async () => { ${source} }`
  const { lambda } = await host({ 'follow-chains': handler, 'deliver-webhooks': handler })
  const calls: [name: string, event: unknown][] = []
  const failures: string[] = []
  const running = startSchedules(
    readLocalSettings({ FOLLOWED_CHAINS }),
    {
      invoke(name, event) {
        calls.push([name, event])
        return lambda.invoke(name, event)
      },
    },
    (line) => failures.push(line),
    intervalMilliseconds,
  )
  onTestFinished(() => running.close())
  return { lambda, running, failures, calls }
}

test('D152, D122: the schedules follow the chains and sweep the webhooks, at once', async () => {
  expect((await schedules('', 3_600_000)).calls).toEqual([
    ['follow-chains', {}],
    ['deliver-webhooks', { kind: 'sweep' }],
  ])
})

test('they call nothing if no chain is followed', async () => {
  expect((await schedules('', 3_600_000, 'none')).calls).toEqual([])
})

test('they call again after the interval, whether or not the calls before have ended', async () => {
  const { calls, failures } = await schedules('await new Promise(() => {})', 20)
  await expect.poll(() => calls.length).toBeGreaterThan(6)
  expect(failures).toEqual([])
})

test('they start no call after they were closed, and say nothing about calls in progress', async () => {
  const { lambda, calls, failures, running } = await schedules('await new Promise(() => {})', 20)
  await expect.poll(() => calls.length).toBeGreaterThan(2)
  running.close()
  const { length } = calls
  await lambda.close()
  await sleep(100)
  expect({ length: calls.length, failures }).toEqual({ length, failures: [] })
})

test('they say why a call failed, and go on', async () => {
  const { failures } = await schedules("throw new RangeError('no such chain')", 20)
  const reason = 'RangeError: no such chain'
  const lines = [`follow-chains: ${reason}`, `deliver-webhooks: ${reason}`]
  for (const line of lines) {
    await expect.poll(() => failures.filter((each) => each === line).length).toBeGreaterThan(1)
  }
  expect(new Set(failures)).toEqual(new Set(lines))
})

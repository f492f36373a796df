import { describe, expect, onTestFinished, test } from 'vitest'
import { readLocalSettings } from '../../local/settings.ts'
import { startSchedules } from '../../local/start-schedules.ts'

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

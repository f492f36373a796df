import { afterEach, describe, expect, test, vi } from 'vitest'
import { deploymentLimits } from '../../local/deployment-limits.ts'

/** The settings of webhooks as a new container reads them, from exactly these variables. */
async function settingsWith(variables: Readonly<Record<string, string | undefined>>) {
  vi.stubGlobal('process', { ...process, env: variables })
  vi.resetModules()
  return await import('../../lib/settings/webhooks.ts')
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('D121: the settings of webhooks', () => {
  test('limit test messages and replays in an hour, as a deployment does by default', async () => {
    const { webhookTestLimits, webhookReplayLimits } = await settingsWith(deploymentLimits)
    const perSeconds = 3_600
    expect({ ...webhookTestLimits(), ...webhookReplayLimits() }).toEqual({
      tests: { name: 'webhook_tests', count: 10, perSeconds },
      testsOfHost: { name: 'webhook_tests_by_host', count: 60, perSeconds },
      replays: { name: 'webhook_replays', count: 4, perSeconds },
    })
  })

  test('limit nothing that is not set, and have no hosts of the deployment', async () => {
    const settings = await settingsWith({})
    const { webhookUrlSettings, webhookDeliverySettings, webhookQueueSettings } = settings
    const limits = { ...settings.webhookTestLimits(), ...settings.webhookReplayLimits() }
    expect(Object.values(limits).filter(Boolean)).toEqual([])
    expect(webhookUrlSettings()).toEqual({ ownHosts: [], permitsLoopback: false })
    expect(webhookDeliverySettings()).toEqual({ eventsPerMinute: 600, deliveries: 10 })
    expect(webhookQueueSettings()).toEqual({ queueUrl: undefined })
  })

  test('D123: have the secrets in their order, and at least one', async () => {
    const { webhookSecretSettings } = await settingsWith({ WEBHOOK_SECRETS: 'second, first' })
    expect(webhookSecretSettings()).toEqual({ secrets: ['second', 'first'] })
    const none = await settingsWith({})
    expect(none.webhookSecretSettings).toThrow(
      new Error('Invalid settings: WEBHOOK_SECRETS must be set'),
    )
  })

  test('D124: permit loopback only with the word true', async () => {
    const { webhookUrlSettings } = await settingsWith({ WEBHOOK_LOOPBACK: 'true' })
    expect(webhookUrlSettings().permitsLoopback).toBe(true)
    const wrong = await settingsWith({ WEBHOOK_LOOPBACK: 'yes' })
    expect(wrong.webhookUrlSettings).toThrow('WEBHOOK_LOOPBACK must be true, or not set')
  })
})

import { deploymentLimits } from '@player-nfts/local/deployment-limits'
import { describe, expect, test } from 'vitest'
import { settingsWith } from './new-container.ts'

describe('the limits of sign-in', () => {
  /** The counts of all of them, with these variables. */
  async function countsWith(variables: Readonly<Record<string, string | undefined>>) {
    const settings = await settingsWith(variables)
    const limits = {
      ...{ ...settings.proofLimits(), ...settings.contractCheckLimits() },
      ...{ ...settings.deviceCodeLimits(), ...settings.deviceGuessLimits() },
    }
    expect(Object.entries(limits).filter(([name, limit]) => limit?.name !== name)).toEqual([])
    expect(Object.values(limits).every((limit) => limit?.perSeconds === 3_600)).toBe(true)
    return Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit?.count]))
  }

  test('D107, D140: a half of what strangers could use up is for others', async () => {
    expect(await countsWith(deploymentLimits)).toEqual({
      ...{ sign_ins: 36_000, new_wallets: 18_000 },
      ...{ sign_ins_by_address: 600, new_wallets_by_address: 300 },
      ...{ refused_sign_ins_by_address: 60 },
      ...{ contract_checks: 6_000, new_contract_checks: 3_000 },
      ...{ contract_checks_by_account: 10, contract_checks_by_address: 100 },
      ...{ contract_checks_of_pages_by_address: 100 },
      ...{ device_codes: 36_000, device_codes_of_pages: 18_000 },
      ...{ device_codes_by_address: 200, device_codes_of_pages_by_address: 200 },
      ...{ device_guesses: 10, device_guesses_by_address: 200 },
    })
    expect(await countsWith({ ...deploymentLimits, SIGN_INS_PER_HOUR: '601' })).toMatchObject({
      ...{ sign_ins: 601, new_wallets: 301 },
    })
  })

  test('D107: a limit without its setting does not apply', async () => {
    expect(await countsWith({})).toEqual({})
  })
})

describe('D121: the settings of webhooks', () => {
  test('limit test messages and replays in an hour, as a deployment does by default', async () => {
    const { webhookTestLimits, webhookReplayLimits } = await settingsWith(deploymentLimits)
    const perSeconds = 3_600
    expect({ ...webhookTestLimits(), ...webhookReplayLimits() }).toEqual({
      tests: [{ name: 'webhook_tests', count: 10, perSeconds }],
      testsOfHost: [{ name: 'webhook_tests_by_host', count: 60, perSeconds }],
      replays: [{ name: 'webhook_replays', count: 4, perSeconds }],
    })
  })

  test('limit nothing that is not set, and have no hosts of the deployment', async () => {
    const settings = await settingsWith({})
    const { webhookUrlSettings, webhookDeliverySettings, webhookQueueSettings } = settings
    const limits = { ...settings.webhookTestLimits(), ...settings.webhookReplayLimits() }
    expect(Object.values(limits).flat()).toEqual([])
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

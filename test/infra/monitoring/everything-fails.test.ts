import { describe, expect, test } from 'vitest'
import { loginNetworks } from '../../../lib/observability/metrics.ts'
import { alarmValue } from '../../support/alarm-value.ts'
import { webhookSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const alarms = serviceTemplate(webhookSettings)
  .all('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]): Json => Properties)

const alarm = (name: string): Json =>
  alarms.find(({ AlarmName }) => AlarmName === `PlayerNfts-prod-${name}`) as Json

/** Whether the alarm is on with these values of its metrics in 30 minutes. */
function isOn(name: string, data: Record<string, number>): boolean {
  const { Metrics, Threshold } = alarm(name)
  return alarmValue(Metrics.find((each: Json) => each.Expression).Expression, data) >= Threshold
}

const names = ['login-failures', 'indexer-failures', 'worker-errors', 'webhook-errors']

test.each(names)('D138: the alarm %s reads at most ten metrics, of 30 minutes', (name) => {
  const { Metrics, EvaluationPeriods } = alarm(name)
  const periods = Metrics.flatMap(({ MetricStat }: Json) => (MetricStat ? MetricStat.Period : []))
  expect(periods.length).toBeLessThanOrEqual(10)
  expect([new Set(periods), EvaluationPeriods]).toEqual([new Set([1_800]), 1])
})

test('D138: the alarm on logins reads the lowest value of each bucket', () => {
  const read = alarm('login-failures').Metrics.flatMap(({ Id, MetricStat }: Json) =>
    MetricStat?.Stat === 'Minimum' ? [[Id, MetricStat.Metric.MetricName]] : [],
  )
  expect(read).toEqual(loginNetworks.map((name, index) => [`network${index}`, name]))
})

describe('D138: an alarm is on', () => {
  test.each<[string, string, Record<string, number>]>([
    [
      'login-failures',
      'the logins of three networks fail',
      { network0: 1, network3: 1, network7: 1 },
    ],
    ['login-failures', 'ten calls fail', { kms: 4, keysets: 6, network0: 0 }],
    ['indexer-failures', 'three requests fail', { lowest: 1, failed: 3, calls: 3 }],
    ['indexer-failures', 'twenty calls fail', { lowest: 0, failed: 9, calls: 20 }],
    ['worker-errors', 'three messages fail', { lowest: 1, failed: 3 }],
    [
      'worker-errors',
      'Lambda ends the worker three times, which then writes nothing',
      { ended: 3 },
    ],
    ['webhook-errors', 'two deliveries fail, and one is ended', { lowest: 1, failed: 2, ended: 1 }],
    ['webhook-errors', 'ten of many deliveries fail', { lowest: 0, failed: 6, ended: 4 }],
  ])('%s if %s', (name, _, data) => {
    expect(isOn(name, data)).toBe(true)
  })
})

describe('D138: an alarm is off', () => {
  test.each(names)('%s without any data', (name) => {
    expect(isOn(name, {})).toBe(false)
  })

  test.each<[string, string, Record<string, number>]>([
    ['login-failures', 'all logins are of two networks', { network0: 1, network3: 1 }],
    [
      'login-failures',
      'a login of any network succeeds',
      { network0: 1, network1: 1, network2: 1, network3: 0 },
    ],
    ['login-failures', 'nine calls fail', { kms: 9, network0: 0 }],
    ['indexer-failures', 'two requests fail', { lowest: 1, failed: 2, calls: 2 }],
    ['indexer-failures', 'a request succeeds', { lowest: 0, failed: 9, calls: 19 }],
    ['worker-errors', 'a message succeeds', { lowest: 0, failed: 4, ended: 5 }],
    ['webhook-errors', 'two deliveries fail', { lowest: 1, failed: 2 }],
  ])('%s if %s', (name, _, data) => {
    expect(isOn(name, data)).toBe(false)
  })
})

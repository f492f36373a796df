import { describe, expect, test } from 'vitest'
import { type DeliveryLine, logDelivery } from '../../../lib/observability/log.ts'
import { loginNetworks } from '../../../lib/observability/metrics.ts'
import { alarmValue } from '../../support/alarm-value.ts'
import { metricsIn } from '../../support/data/metric-documents.ts'
import { capturedLog } from '../../support/memory/http-chain.ts'
import { everyKind, prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const alarms = serviceTemplate(everyKind)
  .all('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]): Json => Properties)

const alarm = (name: string): Json =>
  alarms.find(({ AlarmName }) => AlarmName === `PlayerNfts-prod-${name}`) as Json

/** Whether the alarm is on with these values of its metrics in 30 minutes. */
function isOn(name: string, data: Record<string, number>): boolean {
  const { Metrics, Threshold } = alarm(name)
  return alarmValue(Metrics.find((each: Json) => each.Expression).Expression, data) >= Threshold
}

const names = [
  ...['login-failures', 'indexer-failures', 'worker-errors', 'webhook-errors', 'key-set-failures'],
  ...['all-requests-fail', 'all-credentials-rejected', 'all-sign-ins-fail', 'old-answers'],
]

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
    ['login-failures', 'ten calls fail', { kms: 10, network0: 0 }],
    ['key-set-failures', 'three requests fail', { lowest: 1, failed: 3 }],
    ['key-set-failures', 'ten of many requests fail', { lowest: 0, failed: 10 }],
    ['all-requests-fail', 'three requests fail', { lowest: 1, failed: 3 }],
    ['all-requests-fail', 'no function answers', { unanswered: 3 }],
    ['all-credentials-rejected', 'three credentials are refused', { lowest: 1, failed: 3 }],
    ['all-sign-ins-fail', 'three sign-ins fail', { lowest: 1, failed: 3 }],
    ['old-answers', 'the median of three answers is ten minutes', { answers: 3, age: 600 }],
    ['indexer-failures', 'three requests fail', { lowest: 1, failed: 3, calls: 3, asked: 900 }],
    ['indexer-failures', 'twenty calls fail', { lowest: 0, failed: 9, calls: 20, asked: 2_000 }],
    ['indexer-failures', 'twenty requests fail without a call', { lowest: 0, failed: 20 }],
    ['indexer-failures', '1 % of all calls fail', { lowest: 0, calls: 208, asked: 20_800 }],
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
    ['key-set-failures', 'another set is read', { lowest: 0, failed: 9 }],
    ['all-requests-fail', 'a request succeeds', { lowest: 0, failed: 900, unanswered: 900 }],
    ['all-requests-fail', 'two requests fail', { lowest: 1, failed: 1, unanswered: 1 }],
    ['all-credentials-rejected', 'a credential is accepted', { lowest: 0, failed: 900 }],
    ['all-sign-ins-fail', 'a sign-in succeeds', { lowest: 0, failed: 900 }],
    ['old-answers', 'there are two answers', { answers: 2, age: 7_200 }],
    ['old-answers', 'the median is younger', { answers: 900, age: 599 }],
    ['indexer-failures', 'two requests fail', { lowest: 1, failed: 2, calls: 2 }],
    ['indexer-failures', 'a request succeeds', { lowest: 0, failed: 9, calls: 19 }],
    // 100,000 daily players, one call in a thousand.
    [
      'indexer-failures',
      'less than 1 % fail',
      { lowest: 0, failed: 21, calls: 207, asked: 20_800 },
    ],
    ['worker-errors', 'a message succeeds', { lowest: 0, failed: 4, ended: 5 }],
    ['webhook-errors', 'two deliveries fail', { lowest: 1, failed: 2 }],
  ])('%s if %s', (name, _, data) => {
    expect(isOn(name, data)).toBe(false)
  })
})

describe('D138: webhook-errors, by the lines of a deployment in 30 minutes', () => {
  const base = {
    ...{ lambdaRequestId: 'i', functionName: 'd-deliver-webhooks', functionVersion: '7' },
    ...{ deployment: 'd', durationMilliseconds: 1 },
  }
  const always: Partial<DeliveryLine>[] = [
    ...Array.from({ length: 6 }, () => ({ kind: 'sweep' })),
    { kind: 'logged', delivered: 0 },
    { kind: 'product', delivered: 0 },
    // It waits, is superfluous, or its secret has ended before a server is called.
    { kind: 'deliver', delivered: 0 },
    { kind: 'deliver', delivered: 0, code: 'secret_ended' },
  ]
  const failing = { kind: 'deliver', error: new Error('KMS') }

  /** Whether the alarm is on with the metrics of these lines beside those that there always are. */
  function isOnAfter(...lines: Partial<DeliveryLine>[]): boolean {
    const log = capturedLog()
    for (const line of [...always, ...lines]) logDelivery({ ...base, ...line })
    const values = log.map((line) => metricsIn(line)['deliveryDefects'])
    const known = values.filter((value) => value !== undefined)
    if (known.length === 0) return isOn('webhook-errors', {})
    const failed = known.reduce((sum, value) => sum + value, 0)
    return isOn('webhook-errors', { lowest: Math.min(...known), failed })
  }

  test('it is on if all three deliveries fail', () => {
    expect(isOnAfter(failing, failing, failing)).toBe(true)
  })

  test.each<[string, Partial<DeliveryLine>[]]>([
    ['there is none', []],
    ['a message is delivered', [failing, failing, failing, { kind: 'deliver', delivered: 1 }]],
    ['a test is delivered', [failing, failing, failing, { kind: 'test', delivered: 1 }]],
    [
      'the server of a webhook refuses one',
      [failing, failing, failing, { kind: 'deliver', delivered: 0, code: 'unexpected_status' }],
    ],
  ])('it is off if %s', (_, lines) => {
    expect(isOnAfter(...lines)).toBe(false)
  })
})

test('D138: server-errors reads 5xx, less the answers that the indexer causes', () => {
  const read = alarm('server-errors').Metrics.flatMap(({ Id, MetricStat }: Json) =>
    MetricStat ? [[Id, MetricStat.Metric.MetricName]] : [],
  )
  expect(read).toEqual([
    ['part', '5xx'],
    ['without', 'indexerUnavailableAnswers'],
    ['requests', 'Count'],
  ])
  expect(isOn('server-errors', { part: 9, without: 5, requests: 90 })).toBe(false)
  expect(isOn('server-errors', { part: 9, without: 4, requests: 90 })).toBe(true)
  expect(isOn('server-errors', { part: 5, requests: 90 })).toBe(true)
})

test('D149: the three alarms on everything read what the functions say of successes too', () => {
  const readBy = (name: string) =>
    alarm(name).Metrics.flatMap(({ MetricStat }: Json) =>
      MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat}`] : [],
    )
  expect(readBy('all-requests-fail')).toEqual([
    'serverErrorAnswers Minimum',
    'serverErrorAnswers Sum',
    'PlayerNfts-prod-unansweredRequests Sum',
  ])
  for (const [name, metric] of [
    ['all-credentials-rejected', 'credentialFailures'],
    ['all-sign-ins-fail', 'signInFailures'],
    ['key-set-failures', 'keySetFailures'],
  ]) {
    expect(new Set(readBy(`${name}`))).toEqual(new Set([`${metric} Minimum`, `${metric} Sum`]))
  }
})

test('D149: a deployment without sign-in, webhooks, followed chains and key sets has no alarm on them', () => {
  const names = serviceTemplate(prodSettings)
    .all('AWS::CloudWatch::Alarm')
    .map(([, { Properties }]): string => Properties.AlarmName.replace('PlayerNfts-prod-', ''))
  expect(
    names.filter((name) => /^(all-|key-set|webhook|refused|ended|old-answers)/.test(name)),
  ).toEqual([...['all-requests-fail', 'all-credentials-rejected', 'old-answers']])
})

import { describe, expect, test } from 'vitest'
import { type DeliveryLine, logDelivery } from '../../../lib/observability/log.ts'
import { loginNetworks } from '../../../lib/observability/metrics.ts'
import { alarmValue } from '../../support/alarm-value.ts'
import { metricsIn } from '../../support/data/metric-documents.ts'
import { capturedLog } from '../../support/memory/http-chain.ts'
import { everyKind } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const alarms = serviceTemplate(everyKind).propertiesOf('AWS::CloudWatch::Alarm')

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
  ...['smart-account-failures'],
]

test.each(names)('D138: the alarm %s reads at most ten metrics, of 30 minutes', (name) => {
  const { Metrics, EvaluationPeriods } = alarm(name)
  const periods = Metrics.flatMap(({ MetricStat }: Json) => (MetricStat ? MetricStat.Period : []))
  expect(periods.length).toBeLessThanOrEqual(10)
  expect([new Set(periods), EvaluationPeriods]).toEqual([new Set([1_800]), 1])
})

/** What an alarm reads: each metric with its statistic. */
const readBy = (name: string): string[] =>
  alarm(name).Metrics.flatMap(({ MetricStat }: Json) =>
    MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat}`] : [],
  )

/** Failures of a kind, with what the functions say of its successes. */
const kind = (metric: string) => [`${metric} Minimum`, `${metric} Sum`]

test.each<[string, string[]]>([
  ['login-failures', ['kmsFailures Sum', ...loginNetworks.map((name) => `${name} Minimum`)]],
  ['all-requests-fail', [...kind('serverErrorAnswers'), 'PlayerNfts-prod-unansweredRequests Sum']],
  ['all-credentials-rejected', kind('credentialFailures')],
  ['all-sign-ins-fail', kind('signInFailures')],
  ['key-set-failures', ['keySetFailures Sum', ...kind('keySetFailures')]],
  ['webhook-errors', [...kind('deliveryDefects').toReversed(), 'Errors Sum']],
  ['server-errors', ['5xx Sum', 'indexerUnavailableAnswers Sum', 'Count Sum']],
  ['slow-indexer-calls', ['indexerCallMilliseconds SampleCount', 'indexerCallMilliseconds p90']],
  ['follower-lag', ['followLagSeconds Maximum']],
])('D138, D149: the alarm %s reads %j', (name, read) => {
  expect(new Set(readBy(name))).toEqual(new Set(read))
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
    ['smart-account-failures', 'three calls fail, and no other is made', { failed: 3, calls: 3 }],
    ['smart-account-failures', 'twenty of many calls fail', { failed: 20, calls: 900 }],
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
    ['server-errors', 'five of 90 answers are failures', { part: 5, requests: 90 }],
    ['server-errors', 'the indexer causes the others', { part: 9, without: 4, requests: 90 }],
    ['rejected-credentials', 'a quarter is refused', { part: 100, requests: 400 }],
    ['slow-indexer-calls', 'twenty calls are slow', { calls: 20, time: 3_000 }],
    ['table-throttles', 'only reads are throttled', { m0: 10 }],
    ['follower-lag', 'nobody knows it', {}],
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
    ['smart-account-failures', 'three of four calls fail', { failed: 3, calls: 4 }],
    ['smart-account-failures', 'both calls fail', { failed: 2, calls: 2 }],
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
    ['server-errors', 'the indexer causes them', { part: 9, without: 5, requests: 90 }],
    ['rejected-credentials', 'there are few', { part: 99, requests: 99 }],
    ['slow-indexer-calls', 'few calls are slow', { calls: 19, time: 9_000 }],
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

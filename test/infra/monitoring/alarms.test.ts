import { describe, expect, test } from 'vitest'
import { thresholdOf } from '../../../infra/monitoring/alarm-row.ts'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { accountConcurrency } from '../../../infra/monitoring/function-alarms.ts'
import { slowIndexer } from '../../../infra/monitoring/indexer-alarms.ts'
import { queryText } from '../../../infra/monitoring/logs-insights.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { volumeThresholds } from '../../../infra/settings/volume-thresholds.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { usualOperationIds } from '../../support/operations.ts'
import { prodSettings, signInSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const { all } = serviceTemplate(prodSettings)

const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)

const nameOf = ({ AlarmName }: Json): string => AlarmName.replace('PlayerNfts-prod-', '')

const alarmsOf = (row: string) => alarms.filter((alarm) => nameOf(alarm).startsWith(row))

const composites = all('AWS::CloudWatch::CompositeAlarm').map(([, { Properties }]) => Properties)

const compositeOf = (row: string): Json =>
  composites.find((alarm) => nameOf(alarm) === `${row}-unexplained`) as Json

describe('the alarms', () => {
  test('are the alarms of the table', () => {
    const each: Record<string, string[]> = {
      'slow-answers': ['slow-answers-1', 'slow-answers-2', 'slow-answers-3'],
      silence: [],
      'follower-lag': [],
      'refused-contracts': [],
      'ended-snapshots': [],
      'key-set-failures': [],
      'all-sign-ins-fail': [],
      'sign-in-volume': [],
      'device-code-volume': [],
      'webhook-errors': [],
      'webhook-delay': [],
      'webhook-queue': [],
      'webhook-sweep': [],
    }
    const expected = alarmTable.flatMap(({ name }) => each[name] ?? [name])
    expect(alarms.map(nameOf).toSorted()).toEqual(expected.toSorted())
  })

  test.each(alarmTable.filter((row) => !row.isIn))(
    '$name has its threshold and notifies the topic at both ends',
    (row) => {
      const [[topic] = []] = all('AWS::SNS::Topic')
      const actions = { AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] }
      expect(alarmsOf(row.name).length).toBeGreaterThan(0)
      for (const alarm of alarmsOf(row.name)) {
        expect(alarm).toMatchObject({
          Threshold: thresholdOf(row, deploymentSettings(prodSettings)),
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          DatapointsToAlarm: row.periods,
          EvaluationPeriods: row.periods === 1 ? 1 : 3,
          TreatMissingData: 'notBreaching',
          ...(!row.quietDuring && actions),
        })
      }
      if (row.quietDuring) expect(compositeOf(row.name)).toMatchObject(actions)
    },
  )

  test('D71: that the indexer causes notify by composite alarms, and not while indexer-failures is on', () => {
    const [[cause] = []] = all('AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => nameOf(Properties) === 'indexer-failures',
    )
    const quiet = alarmTable.filter((row) => row.quietDuring).map(({ name }) => name)
    expect(quiet).toEqual([
      'slow-indexer-answers',
      'worker-errors',
      'old-work',
      'slow-indexer-calls',
    ])
    for (const name of quiet) {
      for (const alarm of alarmsOf(name)) expect(alarm).not.toHaveProperty('AlarmActions')
      const { ActionsSuppressor, AlarmRule, ...rest } = compositeOf(name)
      expect(ActionsSuppressor).toEqual({ 'Fn::GetAtt': [cause, 'Arn'] })
      expect(rest).toMatchObject({
        ActionsSuppressorWaitPeriod: 300,
        ActionsSuppressorExtensionPeriod: 300,
      })
      expect(JSON.stringify(AlarmRule).match(/ALARM\(/g)).toHaveLength(alarmsOf(name).length)
    }
    expect(all('AWS::CloudWatch::CompositeAlarm')).toHaveLength(quiet.length)
  })

  test('count a metric without data as 0 where they add it to others', () => {
    const expressions: string[] = alarms.flatMap(({ Metrics = [] }) =>
      Metrics.flatMap(({ Expression }: Json) => (Expression ? [Expression] : [])),
    )
    expect(expressions.filter((each) => !/^(MAX|SUM)\(/.test(each)).toSorted()).toEqual([
      'FILL(m0, 0) + FILL(m1, 0)',
      'IF((FILL(part, 0) - FILL(without, 0)) >= 5, 100 * (FILL(part, 0) - FILL(without, 0)) / requests, 0)',
      'IF(FILL(part, 0) >= 100, 100 * FILL(part, 0) / requests, 0)',
      'IF(MIN([FILL(lowest, 1)]) >= 1, SUM([FILL(failed, 0), FILL(unanswered, 0)]), 0)',
      'IF(MIN([FILL(lowest, 1)]) >= 1, SUM([FILL(failed, 0)]), 0)',
      'IF(answers >= 3, age, 0)',
      'IF(calls >= 20, time, 0)',
    ])
  })

  test('on the concurrency of the account leave a fifth of what nothing has reserved', () => {
    const thresholdWith = (settings: object) =>
      thresholdOf(accountConcurrency, deploymentSettings({ ...prodSettings, ...settings }))
    // 270 of 1,000 are reserved by default.
    expect(thresholdWith({})).toBe(270 + 584)
    // 264 by default beside a follower, which has 2.
    expect(thresholdWith({ followedChains: ['POLYGON'] })).toBe(266 + 587)
    expect(thresholdWith({ reservedConcurrency: 'none', accountConcurrency: 10 })).toBe(8)
  })

  test('on silence exist with their setting, and are on without any data', () => {
    const settings = { ...prodSettings, silenceAlarmMinutes: 90 }
    const silent = serviceTemplate(settings)
      .all('AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => Properties)
      .find((alarm) => nameOf(alarm) === 'silence')
    expect(silent).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: 'Count',
      Period: 5_400,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    })
  })

  test('D113: on volume have the thresholds of the settings, and defaults from the plan and the limits', () => {
    const defaults = {
      indexerUnitsPerSecond: 500,
      indexerUnitsPerMonth: 30_000_000,
      registrationsPerHour: 100,
      volumeAlarms: {},
    }
    expect(volumeThresholds(defaults)).toEqual({
      indexerCalls: 73,
      registrations: 50,
      writes: 300_000,
      playerTokens: 30_000,
      signIns: 18_000,
      deviceCodes: 18_000,
    })
    const large = { ...defaults, indexerUnitsPerMonth: 10_000_000_000 }
    expect(volumeThresholds(large).indexerCalls).toBe(750)
    expect(volumeThresholds({ ...defaults, registrationsPerHour: 9 }).registrations).toBe(5)
    const settings = {
      ...signInSettings,
      ...{ signInsPerHour: 1_000, deviceCodesPerHour: 2_000 },
      indexerUnitsPerMonth: 60_000_000,
      volumeAlarms: { writes: 7, playerTokens: 8 },
    }
    const thresholds = serviceTemplate(settings)
      .all('AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => [nameOf(Properties), Properties.Threshold])
    expect(Object.fromEntries(thresholds)).toMatchObject({
      'indexer-volume': 145,
      'write-volume': 7,
      'player-token-volume': 8,
      'sign-in-volume': 500,
      'device-code-volume': 1_000,
    })
  })
})

test('D71: the alarm on the time of the indexer is on from its setting', () => {
  const thresholdWith = (settings: object) =>
    thresholdOf(slowIndexer, deploymentSettings({ ...prodSettings, ...settings }))
  expect(thresholdWith({})).toBe(3_000)
  for (const slowIndexerMilliseconds of [100, 8_000]) {
    expect(thresholdWith({ slowIndexerMilliseconds })).toBe(slowIndexerMilliseconds)
  }
  for (const slowIndexerMilliseconds of [99, 8_001]) {
    expect(() => thresholdWith({ slowIndexerMilliseconds })).toThrow(
      'slowIndexerMilliseconds must be a whole number from 100 to 8000',
    )
  }
})

test('D71: the alarm on the time of the indexer reads the slowest tenth of at least 20 calls', () => {
  const [{ Metrics } = { Metrics: [] }] = serviceTemplate(prodSettings)
    .all('AWS::CloudWatch::Alarm')
    .map(([, { Properties }]): Json => Properties)
    .filter(({ AlarmName }) => AlarmName === 'PlayerNfts-prod-slow-indexer-calls')
  const read = Metrics.map(({ Id, Expression, MetricStat }: Json) =>
    MetricStat
      ? [Id, MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period]
      : Expression,
  )
  expect(read).toEqual([
    'IF(calls >= 20, time, 0)',
    ['calls', 'indexerCallMilliseconds', 'SampleCount', 300],
    ['time', 'indexerCallMilliseconds', 'p90', 300],
  ])
})

const functionAlarmsOf = (row: string): Json[] =>
  all('AWS::CloudWatch::Alarm')
    .map(([, { Properties }]) => Properties)
    .filter(({ AlarmName }) => AlarmName.startsWith(`PlayerNfts-prod-${row}`))

test('D83: the alarms on durations are on the slowest of up to ten operations, and name it in their first step', () => {
  const indexer = /-(refresh-metadata|get-(raw|structured)-metadata|get-nfts|get-player-details)$/
  const functions = usualOperationIds.map((id) => `PlayerNfts-prod-${functionName(id)}`)
  const expected = {
    'slow-answers': functions.filter((name) => !indexer.test(name)),
    'slow-indexer-answers': functions.filter((name) => indexer.test(name)),
  }
  for (const [row, names] of Object.entries(expected)) {
    const watched = functionAlarmsOf(row).map(({ Metrics }) => {
      const [{ Expression }, ...metrics]: Json[] = Metrics
      expect(metrics.length).toBeLessThanOrEqual(10)
      const terms = metrics.map(({ Id }) => `FILL(${Id}, 0)`)
      expect(Expression).toBe(`MAX([${terms.join(', ')}])`)
      return metrics.map(({ MetricStat: { Metric, Stat } }) => {
        expect([Metric.MetricName, Stat]).toEqual(['Duration', 'p99'])
        return functionOf(Metric)
      })
    })
    expect(watched.flat().toSorted()).toEqual(names.toSorted())
    const [first] = alarmTable.find(({ name }) => name === row)?.firstSteps ?? []
    expect(typeof first === 'object' && queryText(first.query)).toMatch(/ by (\w+, )?operation\b/)
  }
})

const functionOf = ({ Dimensions: [{ Name, Value }] }: Json): string => {
  expect(Name).toBe('FunctionName')
  return Value
}

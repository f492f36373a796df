import { describe, expect, test } from 'vitest'
import { thresholdOf } from '../../../infra/monitoring/alarm-row.ts'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { accountConcurrency } from '../../../infra/monitoring/function-alarms.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { volumeThresholds } from '../../../infra/settings/volume-thresholds.ts'
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

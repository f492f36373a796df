import { expect, test } from 'vitest'
import { thresholdOf } from '../../../infra/monitoring/alarm-row.ts'
import { slowIndexer } from '../../../infra/monitoring/indexer-alarms.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

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

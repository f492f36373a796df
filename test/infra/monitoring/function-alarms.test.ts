import { expect, test } from 'vitest'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { queryText } from '../../../infra/monitoring/logs-insights.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { usualOperationIds } from '../../support/operations.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const { all } = serviceTemplate(prodSettings)
const alarmsOf = (row: string): Json[] =>
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
    const watched = alarmsOf(row).map(({ Metrics }) => {
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

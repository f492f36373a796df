import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alarmTable } from '../../../infra/alarms/alarm-table.ts'
import { functionName, operationIds } from '../../../lib/contract/routes.ts'
import { metricNamespace } from '../../../lib/observability/metrics.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const { all, only } = serviceTemplate(prodSettings)
const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
const nameOf = ({ AlarmName }: Json): string => AlarmName.replace('PlayerNfts-prod-', '')
const alarmsOf = (row: string) => alarms.filter((alarm) => nameOf(alarm).startsWith(row))

describe('the alarms', () => {
  test('are the alarms of the table; durations and throttles have an alarm for each function', () => {
    const names = operationIds.map(functionName)
    const indexer = /^(refresh-metadata|get-(raw|structured)-metadata|get-player-details)$/
    const each: Record<string, string[]> = {
      'slow-answers': names.filter((name) => !indexer.test(name)),
      'slow-indexer-answers': names.filter((name) => indexer.test(name)),
      'function-throttles': [...names, 'worker'],
    }
    const expected = alarmTable.flatMap(
      ({ name }) => each[name]?.map((suffix) => `${name}-${suffix}`) ?? [name],
    )
    expect(alarms.map(nameOf).toSorted()).toEqual(expected.toSorted())
  })

  test.each(alarmTable)('$name has its threshold and notifies the topic at both ends', (row) => {
    const [[topic] = []] = all('AWS::SNS::Topic')
    expect(alarmsOf(row.name).length).toBeGreaterThan(0)
    for (const alarm of alarmsOf(row.name)) {
      expect(alarm).toMatchObject({
        Threshold: row.threshold,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        DatapointsToAlarm: row.periods,
        EvaluationPeriods: row.periods === 1 ? 1 : 3,
        TreatMissingData: 'notBreaching',
        AlarmActions: [{ Ref: topic }],
        OKActions: [{ Ref: topic }],
      })
    }
  })

  test('link to their heading in the runbook', () => {
    const runbook = readFileSync('docs/runbook.md', 'utf8')
    for (const { AlarmDescription } of alarms) {
      const [, heading] = /docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription) ?? []
      expect(runbook).toContain(`\n## ${heading}\n`)
    }
  })

  test('use only metrics that exist in CloudWatch', () => {
    const used = alarms.flatMap(({ Namespace, MetricName, Metrics = [] }) => [
      ...(MetricName ? [`${Namespace} ${MetricName}`] : []),
      ...Metrics.flatMap(({ MetricStat }: Json) =>
        MetricStat ? [`${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName}`] : [],
      ),
    ])
    expect(new Set(used)).toEqual(
      new Set([
        'AWS/ApiGateway 5xx',
        'AWS/ApiGateway Count',
        'AWS/Lambda Duration',
        'AWS/Lambda Throttles',
        'AWS/SQS ApproximateNumberOfMessagesVisible',
        'AWS/SQS ApproximateAgeOfOldestMessage',
        'AWS/DynamoDB ReadThrottleEvents',
        'AWS/DynamoDB WriteThrottleEvents',
        `${metricNamespace} kmsFailures`,
        `${metricNamespace} indexerFailures`,
        `${metricNamespace} PlayerNfts-prod-throttledRequests`,
      ]),
    )
  })

  test('count throttled requests in the access log', () => {
    expect(only('AWS::Logs::MetricFilter').Properties).toMatchObject({
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [
        { MetricName: 'PlayerNfts-prod-throttledRequests', MetricValue: '1' },
      ],
    })
  })

  test('are all on the dashboard', () => {
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)
    for (const [id] of all('AWS::CloudWatch::Alarm')) expect(body).toContain(`"${id}"`)
    for (const { name, unit } of alarmTable) expect(body).toContain(`${name} (${unit})`)
  })
})

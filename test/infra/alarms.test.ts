import { describe, expect, test } from 'vitest'
import { alarmTable } from '../../infra/alarms/alarm-table.ts'
import { functionName, operationIds } from '../../lib/contract/routes.ts'
import { metricNamespace } from '../../lib/observability/metrics.ts'
import { type Json, prodSettings, serviceTemplate } from '../support/service-template.ts'

const { all, only } = serviceTemplate(prodSettings)
const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
const nameOf = ({ AlarmName }: Json): string => AlarmName.replace('PlayerNfts-prod-', '')
const alarmsOf = (row: string) => alarms.filter((alarm) => nameOf(alarm).startsWith(row))

describe('the alarms', () => {
  test('are those of the table; what is slow or throttled has one for each function', () => {
    const names = operationIds.map(functionName)
    const ask = /^(refresh-metadata|get-(raw|structured)-metadata|get-player-details)$/
    const each: Record<string, string[]> = {
      'slow-answers': names.filter((name) => !ask.test(name)),
      'slow-indexer-answers': names.filter((name) => ask.test(name)),
      'function-throttles': [...names, 'worker'],
    }
    const expected = alarmTable.flatMap(
      ({ name }) => each[name]?.map((of) => `${name}-${of}`) ?? [name],
    )
    expect(alarms.map(nameOf).toSorted()).toEqual(expected.toSorted())
  })

  test.each(alarmTable)('$name rings at its threshold, and tells when it ends', (row) => {
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
        AlarmDescription: `${row.metric}. First steps: docs/operations.md#alarms`,
      })
    }
  })

  test('look at nothing that CloudWatch has no metric for', () => {
    const looked = alarms.flatMap(({ Namespace, MetricName, Metrics = [] }) => [
      ...(MetricName ? [`${Namespace} ${MetricName}`] : []),
      ...Metrics.flatMap(({ MetricStat }: Json) =>
        MetricStat ? [`${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName}`] : [],
      ),
    ])
    expect(new Set(looked)).toEqual(
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
        `${metricNamespace} PlayerNfts-prod-turnedAway`,
      ]),
    )
  })

  test('hear of what API Gateway turned away from its access log', () => {
    expect(only('AWS::Logs::MetricFilter').Properties).toMatchObject({
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [{ MetricName: 'PlayerNfts-prod-turnedAway', MetricValue: '1' }],
    })
  })

  test('are on the dashboard, all of them', () => {
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)
    for (const [id] of all('AWS::CloudWatch::Alarm')) expect(body).toContain(`"${id}"`)
    for (const { name, unit } of alarmTable) expect(body).toContain(`${name} (${unit})`)
  })
})

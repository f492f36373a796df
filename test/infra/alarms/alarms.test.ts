import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { thresholdOf } from '../../../infra/alarms/alarm-row.ts'
import { alarmTable } from '../../../infra/alarms/alarm-table.ts'
import { deploymentSettings } from '../../../infra/settings.ts'
import { volumeThresholds } from '../../../infra/volume-thresholds.ts'
import { functionName, operationIds, routes } from '../../../lib/contract/routes.ts'
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
    const indexer = /^(refresh-metadata|get-(raw|structured)-metadata|get-nfts|get-player-details)$/
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
        Threshold: thresholdOf(row, deploymentSettings(prodSettings)),
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
        'AWS/Lambda Invocations',
        'AWS/Lambda Throttles',
        'AWS/SQS ApproximateNumberOfMessagesVisible',
        'AWS/SQS ApproximateAgeOfOldestMessage',
        'AWS/DynamoDB ReadThrottleEvents',
        'AWS/DynamoDB WriteThrottleEvents',
        'AWS/DynamoDB ConsumedWriteCapacityUnits',
        `${metricNamespace} kmsCalls`,
        `${metricNamespace} kmsFailures`,
        `${metricNamespace} indexerCalls`,
        `${metricNamespace} indexerFailures`,
        `${metricNamespace} PlayerNfts-prod-throttledRequests`,
      ]),
    )
  })

  test('count the responses 429 of API Gateway and those of limits separately, in the access log', () => {
    const filters = all('AWS::Logs::MetricFilter').map(([, { Properties }]) => [
      Properties.MetricTransformations[0].MetricName,
      Properties.MetricTransformations[0].MetricValue,
      Properties.FilterPattern,
    ])
    expect(filters).toEqual([
      [
        'PlayerNfts-prod-throttledRequests',
        '1',
        '{ ($.status = "429") && ($.functionMilliseconds = "-") }',
      ],
      [
        'PlayerNfts-prod-limitedRequests',
        '1',
        '{ ($.status = "429") && ($.functionMilliseconds != "-") }',
      ],
    ])
    const { Format } = only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    expect(JSON.parse(Format)).toMatchObject({
      status: '$context.status',
      functionMilliseconds: '$context.integrationLatency',
    })
  })

  test('on volume have the thresholds of the settings, and defaults from the plan and the limits', () => {
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
    })
    const large = { ...defaults, indexerUnitsPerMonth: 10_000_000_000 }
    expect(volumeThresholds(large).indexerCalls).toBe(750)
    expect(volumeThresholds({ ...defaults, registrationsPerHour: 9 }).registrations).toBe(5)
    const settings = {
      ...prodSettings,
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
    })
  })

  test('are all on the dashboard', () => {
    const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)
    for (const [id] of all('AWS::CloudWatch::Alarm')) expect(body).toContain(`"${id}"`)
    for (const { name, unit } of alarmTable) expect(body).toContain(`${name} (${unit})`)
  })
})

describe('the dashboard', () => {
  const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)

  test('shows the products by use, from the log groups of all functions that serve products', () => {
    const queries = body.split('"type').filter((widget) => widget.includes('SOURCE'))
    expect(queries).toHaveLength(2)
    const groups = operationIds.filter((id) => routes[id].auth === 'PRODUCT')
    for (const widget of queries) {
      expect(widget.match(/SOURCE/g)).toHaveLength(groups.length + 1)
      for (const id of groups) {
        expect(widget).toContain(`Functions${functionName(id).replaceAll('-', '')}Logs`)
      }
      expect(widget).toContain('by productId')
    }
    // CloudWatch accepts 50 log groups in a query.
    expect(groups.length + 1).toBeLessThanOrEqual(50)
  })

  test('shows the responses 429 beside the other client errors', () => {
    expect(body).toContain('errors - limited - throttled')
    expect(body).toContain('429 of a limit')
    expect(body).toContain('429 of API Gateway')
  })
})

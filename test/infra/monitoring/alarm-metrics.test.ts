import { describe, expect, test } from 'vitest'
import {
  deliveryMetrics,
  deploymentOf,
  followMetrics,
  loginNetworks,
  metricNamespace,
  requestMetrics,
  workMetrics,
} from '../../../lib/observability/metrics.ts'
import { everyKind, prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const { all, only } = serviceTemplate(prodSettings)
const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)

describe('the alarms', () => {
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
        'AWS/Lambda ClaimedAccountConcurrency',
        'AWS/Lambda Duration',
        'AWS/Lambda Errors',
        'AWS/Lambda Invocations',
        'AWS/Lambda Throttles',
        'AWS/SQS ApproximateNumberOfMessagesVisible',
        'AWS/SQS ApproximateAgeOfOldestMessage',
        'AWS/DynamoDB ReadThrottleEvents',
        'AWS/DynamoDB WriteThrottleEvents',
        'AWS/DynamoDB ConsumedWriteCapacityUnits',
        ...Object.keys(workMetrics)
          // With trafficShift, an alarm reads it.
          .filter((name) => name !== 'indexerUnavailableMessages')
          // With followedChains, an alarm reads it.
          .filter((name) => name !== 'endedSnapshots')
          // With a key set, an alarm reads it.
          .filter((name) => name !== 'keySetFailures')
          .map((name) => `${metricNamespace} ${name}`),
        ...[
          ...[...loginNetworks, 'indexerRequestFailures', 'indexerUnavailableAnswers'],
          ...['serverErrorAnswers', 'credentialFailures', 'mainAnswerAgeSeconds'],
          'PlayerNfts-prod-unansweredRequests',
        ].map((name) => `${metricNamespace} ${name}`),
        `${metricNamespace} PlayerNfts-prod-rejectedCredentials`,
        `${metricNamespace} PlayerNfts-prod-throttledRequests`,
      ]),
    )
  })

  test('D71: or the dashboard read every metric that the functions and the access log write', () => {
    const full = serviceTemplate(everyKind)
    const ofAlarms = full.all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
    const dashboard = full.only('AWS::CloudWatch::Dashboard').Properties.DashboardBody
    const readers = JSON.stringify(ofAlarms) + JSON.stringify(dashboard).replaceAll('\\', '')
    const written = [
      ...Object.keys({ ...requestMetrics, ...workMetrics, ...followMetrics, ...deliveryMetrics }),
      ...full
        .all('AWS::Logs::MetricFilter')
        .map(([, { Properties }]) => Properties.MetricTransformations[0].MetricName),
    ]
    expect(new Set(written).size).toBe(33)
    for (const name of written) expect(readers).toContain(`"${name}"`)
    const dimensions = alarms.flatMap(({ Namespace, MetricName, Dimensions }) =>
      Namespace === metricNamespace && !MetricName.includes('-') ? [Dimensions] : [],
    )
    expect(dimensions.length).toBeGreaterThan(0)
    for (const each of dimensions) {
      expect(each).toEqual([{ Name: 'deployment', Value: 'PlayerNfts-prod' }])
    }
    for (const [, { Properties }] of all('AWS::Lambda::Function')) {
      const name: string = Properties.FunctionName
      const last = name.replace('PlayerNfts-prod-', '')
      expect(deploymentOf(name, last)).toBe('PlayerNfts-prod')
    }
  })

  test('count the responses 429 of API Gateway and those of limits separately, and 401, in the access log', () => {
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
      [
        'PlayerNfts-prod-rejectedCredentials',
        '1',
        '{ ($.status = "401") && ($.functionMilliseconds != "-") }',
      ],
      [
        'PlayerNfts-prod-unansweredRequests',
        '1',
        '{ ($.status = "5*") && ($.functionError != "-") }',
      ],
    ])
    const { Format } = only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    expect(JSON.parse(Format)).toMatchObject({
      requestId: '$context.requestId',
      lambdaRequestId: '$context.awsEndpointRequestId',
      status: '$context.status',
      functionMilliseconds: '$context.integrationLatency',
    })
  })
})

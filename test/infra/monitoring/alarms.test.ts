import { describe, expect, test } from 'vitest'
import { thresholdOf } from '../../../infra/monitoring/alarm-row.ts'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { accountConcurrency } from '../../../infra/monitoring/function-alarms.ts'
import { slowIndexer } from '../../../infra/monitoring/indexer-alarms.ts'
import { queryText } from '../../../infra/monitoring/logs-insights.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { volumeThresholds } from '../../../infra/settings/volume-thresholds.ts'
import { functionName } from '../../../lib/contract/route.ts'
import {
  deliveryMetrics,
  deploymentOf,
  followMetrics,
  metricNamespace,
  requestMetrics,
  workMetrics,
} from '../../../lib/observability/metrics.ts'
import { usualOperationIds } from '../../support/operations.ts'
import { everyKind, prodSettings, signInSettings } from '../../support/prod-settings.ts'
import { type Json, type ServiceTemplate, serviceTemplate } from '../../support/service-template.ts'

const settings = { ...everyKind, silenceAlarmMinutes: 90 }
/** A deployment with every alarm. */
const full = serviceTemplate(settings)
const usual = serviceTemplate(prodSettings)

const alarms = full.propertiesOf('AWS::CloudWatch::Alarm')
const nameOf = ({ AlarmName }: Json): string => AlarmName.replace('PlayerNfts-prod-', '')
const alarmsOf = (row: string, template = full): Json[] =>
  template
    .propertiesOf('AWS::CloudWatch::Alarm')
    .filter((alarm) => nameOf(alarm).replace(/-\d$/, '') === row)
const namesIn = (template: ServiceTemplate): string[] =>
  template.propertiesOf('AWS::CloudWatch::Alarm').map(nameOf)

const compositeOf = (row: string): Json =>
  full
    .propertiesOf('AWS::CloudWatch::CompositeAlarm')
    .find((alarm) => nameOf(alarm) === `${row}-unexplained`)

const metricsIn = ({ Namespace, MetricName, Metrics = [] }: Json): [string, string][] => [
  ...(MetricName ? [[Namespace, MetricName] as [string, string]] : []),
  ...Metrics.flatMap(({ MetricStat }: Json) =>
    MetricStat ? [[MetricStat.Metric.Namespace, MetricStat.Metric.MetricName]] : [],
  ),
]

const dashboard = JSON.stringify(
  full.only('AWS::CloudWatch::Dashboard').Properties.DashboardBody,
).replaceAll('\\', '')

describe('the alarms', () => {
  test.each(alarmTable)('$name is as the table says, and on the dashboard', (row) => {
    const [[topic] = []] = full.all('AWS::SNS::Topic')
    const actions = { AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] }
    expect(alarmsOf(row.name).length).toBeGreaterThan(0)
    for (const alarm of alarmsOf(row.name)) {
      expect(alarm).toMatchObject({
        Threshold: thresholdOf(row, deploymentSettings(settings)),
        ComparisonOperator: row.isBelow ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold',
        DatapointsToAlarm: row.periods,
        EvaluationPeriods: row.periods === 1 ? 1 : 3,
        TreatMissingData: row.isBelow || row.isOnWithoutData ? 'breaching' : 'notBreaching',
        ...(!row.quietDuring && actions),
      })
    }
    if (row.quietDuring) expect(compositeOf(row.name)).toMatchObject(actions)
    expect(dashboard).toContain(`${row.name} (${row.unit})`)
  })

  test('are on the dashboard with their states', () => {
    for (const [id] of full.all('AWS::CloudWatch::Alarm')) expect(dashboard).toContain(`"${id}"`)
  })

  test('D149: are only those of what a deployment has', () => {
    const missing = (template: ServiceTemplate) =>
      alarmTable.flatMap(({ name }) => (alarmsOf(name, template).length > 0 ? [] : [name]))
    const ofWebhooks = ['webhook-errors', 'webhook-delay', 'webhook-queue', 'webhook-sweep']
    const ofFollowing = ['follower-lag', 'refused-contracts', 'ended-snapshots']
    expect(missing(usual)).toEqual([
      ...['silence', 'key-set-failures', 'all-sign-ins-fail', 'smart-account-failures'],
      ...[...ofFollowing, ...ofWebhooks],
      ...['sign-in-volume', 'device-code-volume', 'contract-check-volume'],
    ])
    // What pauses has no alarm on its silence.
    expect(missing(serviceTemplate({ ...settings, maintenance: true }))).toEqual([
      ...[...ofFollowing, 'webhook-queue', 'webhook-sweep'],
    ])
    expect(missing(serviceTemplate({ ...settings, keptContracts: 0 }))).toEqual(['ended-snapshots'])
    const withoutAccounts = { ...settings, walletSignIn: { smartAccounts: false } }
    expect(missing(serviceTemplate(withoutAccounts))).toEqual([
      ...['smart-account-failures', 'contract-check-volume'],
    ])
    expect(namesIn(full).filter((name) => /-\d$/.test(name))).toHaveLength(
      alarmsOf('slow-answers').length,
    )
  })

  test('D71: that the indexer causes notify by composite alarms, and not while indexer-failures is on', () => {
    const [[cause] = []] = full
      .all('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => nameOf(Properties) === 'indexer-failures')
    const quiet = alarmTable.filter((row) => row.quietDuring).map(({ name }) => name)
    expect(quiet.length).toBeGreaterThan(3)
    for (const name of quiet) {
      for (const alarm of alarmsOf(name)) expect(alarm).not.toHaveProperty('AlarmActions')
      const { AlarmRule, ...rest } = compositeOf(name)
      expect(rest).toMatchObject({
        ActionsSuppressor: { 'Fn::GetAtt': [cause, 'Arn'] },
        ActionsSuppressorWaitPeriod: 300,
        ActionsSuppressorExtensionPeriod: 300,
      })
      expect(JSON.stringify(AlarmRule).match(/ALARM\(/g)).toHaveLength(alarmsOf(name).length)
    }
    expect(full.all('AWS::CloudWatch::CompositeAlarm')).toHaveLength(quiet.length)
  })

  test('use only metrics that exist in CloudWatch, or that the deployment writes', () => {
    const used = alarms.flatMap(metricsIn)
    const ofAws = used.filter(([namespace]) => namespace !== metricNamespace)
    expect(new Set(ofAws.map((each) => each.join(' ')))).toEqual(
      new Set([
        ...['AWS/ApiGateway 5xx', 'AWS/ApiGateway Count'],
        ...['ClaimedAccountConcurrency', 'Duration', 'Errors', 'Invocations', 'Throttles'].map(
          (name) => `AWS/Lambda ${name}`,
        ),
        ...['AgeOfOldestMessage', 'NumberOfMessagesVisible'].map(
          (name) => `AWS/SQS Approximate${name}`,
        ),
        ...['ReadThrottleEvents', 'WriteThrottleEvents', 'ConsumedWriteCapacityUnits'].map(
          (name) => `AWS/DynamoDB ${name}`,
        ),
      ]),
    )
    const own = used.flatMap(([namespace, name]) => (namespace === metricNamespace ? [name] : []))
    expect(own.filter((name) => !published.includes(name))).toEqual([])
  })

  const published: string[] = [
    ...Object.keys({ ...requestMetrics, ...workMetrics, ...followMetrics, ...deliveryMetrics }),
    ...full
      .propertiesOf('AWS::Logs::MetricFilter')
      .map(({ MetricTransformations: [{ MetricName }] }) => MetricName),
  ]

  test('D71: or the dashboard read every metric that the functions and the access log write', () => {
    const readers = JSON.stringify(alarms) + dashboard
    expect(published.filter((name) => !readers.includes(`"${name}"`))).toEqual([])
    expect(new Set(published).size).toBe(35)
    const dimensions = alarms.flatMap(({ Namespace, MetricName, Dimensions }) =>
      Namespace === metricNamespace && !MetricName.includes('-') ? [Dimensions] : [],
    )
    expect(dimensions.length).toBeGreaterThan(0)
    for (const each of dimensions) {
      expect(each).toEqual([{ Name: 'deployment', Value: 'PlayerNfts-prod' }])
    }
    for (const { FunctionName: name } of usual.propertiesOf('AWS::Lambda::Function')) {
      expect(deploymentOf(name, name.replace('PlayerNfts-prod-', ''))).toBe('PlayerNfts-prod')
    }
  })

  test('count the responses 429 of API Gateway and those of limits separately, and 401, in the access log', () => {
    const filters = full
      .propertiesOf('AWS::Logs::MetricFilter')
      .map(({ MetricTransformations: [{ MetricName, MetricValue }], FilterPattern }) => {
        return [MetricName.replace('PlayerNfts-prod-', ''), MetricValue, FilterPattern]
      })
    expect(filters).toEqual([
      ['throttledRequests', '1', '{ ($.status = "429") && ($.functionMilliseconds = "-") }'],
      ['limitedRequests', '1', '{ ($.status = "429") && ($.functionMilliseconds != "-") }'],
      ['rejectedCredentials', '1', '{ ($.status = "401") && ($.functionMilliseconds != "-") }'],
      ['unansweredRequests', '1', '{ ($.status = "5*") && ($.functionError != "-") }'],
    ])
    const { Format } = full.only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    expect(Object.keys(JSON.parse(Format))).toEqual(
      expect.arrayContaining(['status', 'functionMilliseconds', 'functionError']),
    )
  })

  test('on the concurrency of the account leave a fifth of what nothing has reserved', () => {
    const thresholdWith = (changes: object) =>
      thresholdOf(accountConcurrency, deploymentSettings({ ...prodSettings, ...changes }))
    // 270 of 1,000 are reserved by default.
    expect(thresholdWith({})).toBe(270 + 584)
    // 264 by default beside a follower, which has 2.
    expect(thresholdWith({ followedChains: ['POLYGON'] })).toBe(266 + 587)
    expect(thresholdWith({ reservedConcurrency: 'none', accountConcurrency: 10 })).toBe(8)
  })

  test('D113: on volume have the thresholds of the settings, and defaults from the plan and the limits', () => {
    const thresholdsWith = (changes: object) => volumeThresholds(deploymentSettings({ ...changes }))
    expect(thresholdsWith({})).toEqual({
      ...{ indexerCalls: 73, registrations: 50, writes: 300_000, playerTokens: 30_000 },
      ...{ signIns: 18_000, deviceCodes: 18_000, contractChecks: 1_500 },
    })
    expect(thresholdsWith({ indexerUnitsPerMonth: 10_000_000_000 }).indexerCalls).toBe(750)
    const few = { registrationsPerHour: 9, registrationsPerAddressAndHour: 9 }
    expect(thresholdsWith(few).registrations).toBe(5)
    const chosen = serviceTemplate({
      ...{ ...signInSettings, signInsPerHour: 1_000, deviceCodesPerHour: 2_000 },
      ...{ indexerUnitsPerMonth: 60_000_000, volumeAlarms: { writes: 7, playerTokens: 8 } },
    })
    const names = ['indexer', 'write', 'player-token', 'sign-in', 'device-code']
    const thresholds = names.map((name) => alarmsOf(`${name}-volume`, chosen)[0].Threshold)
    expect(thresholds).toEqual([145, 7, 8, 500, 1_000])
  })

  test('D71: on the time of the indexer is on from its setting', () => {
    for (const slowIndexerMilliseconds of [100, 8_000]) {
      const with_ = deploymentSettings({ ...prodSettings, slowIndexerMilliseconds })
      expect(thresholdOf(slowIndexer, with_)).toBe(slowIndexerMilliseconds)
    }
  })

  test('D83: on durations are on the slowest of up to ten operations, and name it in their first step', () => {
    const indexer = /-(refresh-metadata|get-(raw|structured)-metadata|get-nfts|get-player-details)$/
    const functions = usualOperationIds.map((id) => `PlayerNfts-prod-${functionName(id)}`)
    const expected = {
      'slow-answers': functions.filter((name) => !indexer.test(name)),
      'slow-indexer-answers': functions.filter((name) => indexer.test(name)),
    }
    for (const [row, names] of Object.entries(expected)) {
      const watched = alarmsOf(row, usual).map(({ Metrics: [{ Expression }, ...metrics] }) => {
        expect(metrics.length).toBeLessThanOrEqual(10)
        const terms = metrics.map(({ Id }: Json) => `FILL(${Id}, 0)`)
        expect(Expression).toBe(`MAX([${terms.join(', ')}])`)
        return metrics.map(({ MetricStat: { Metric, Stat } }: Json) => {
          expect([Metric.MetricName, Stat]).toEqual(['Duration', 'p99'])
          expect(Metric.Dimensions[0].Name).toBe('FunctionName')
          return Metric.Dimensions[0].Value
        })
      })
      expect(watched.flat().toSorted()).toEqual(names.toSorted())
      const [first] = alarmTable.find(({ name }) => name === row)?.firstSteps ?? []
      expect(typeof first === 'object' && queryText(first.query)).toMatch(/ by (\w+, )?operation\b/)
    }
  })

  test.each([
    ['webhook-queue', 'ApproximateNumberOfMessagesVisible', 'Minimum', /"WebhookQueue[0-9A-F]{8}"/],
    ['webhook-sweep', 'webhookSweeps', 'Sum', /PlayerNfts-prod/],
    ['webhook-delay', 'webhookDelaySeconds', 'Maximum', /PlayerNfts-prod/],
    ['refused-contracts', 'refusedContracts', 'Maximum', /PlayerNfts-prod/],
    ['ended-snapshots', 'endedSnapshots', 'Sum', /PlayerNfts-prod/],
    ['dead-letters', 'ApproximateNumberOfMessagesVisible', 'Maximum', /DeadLetter/],
    ['old-work', 'ApproximateAgeOfOldestMessage', 'Maximum', /"WorkQueue[0-9A-F]{8}"/],
  ])('%s reads %s (%s)', (row, MetricName, Statistic, dimensions) => {
    const [alarm] = alarmsOf(row)
    expect(alarm).toMatchObject({ MetricName, Statistic, Period: 300 })
    expect(JSON.stringify(alarm?.['Dimensions'])).toMatch(dimensions)
  })
})

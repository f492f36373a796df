import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'
import { rootStack } from '../subject-stacks.ts'
import { type AlarmRow, type Monitored, thresholdOf } from './alarm-row.ts'
import { type Alarms, alarmRows } from './alarms.ts'
import { loggedMetric, period } from './metrics.ts'
import { logGroupNames } from './saved-queries.ts'

/** The CloudWatch dashboard for operators: the state of all alarms, the traffic, and the metrics of each alarm. */
export class CloudWatchDashboard extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { monitored, alarms, settings }: { monitored: Monitored; alarms: Alarms; settings: Settings },
  ) {
    super(scope, id)
    const { api } = monitored.api
    const rows = alarmRows(settings).map((row) => graphOf(row, settings, monitored))
    new Dashboard(this, 'Dashboard', {
      dashboardName: rootStack(this).stackName,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24, height: 4 })],
        [
          graph('Requests', [
            api.metricCount({ statistic: Stats.SUM, period }),
            api.metricServerError({ statistic: Stats.SUM, period }),
          ]),
          graph('Client errors', [
            otherClientErrors(monitored),
            monitored.api.accessLog.metricOf('limitedRequests', period),
            monitored.api.accessLog.metricOf('throttledRequests', period),
          ]),
        ],
        [
          products(monitored, 'Products by use', [
            'filter ispresent(productId)',
            'stats count() as requests, sum(indexerCalls) as indexerRequests, sum(dynamodbCalls) as tableRequests by productId',
            'sort requests desc',
            'limit 20',
          ]),
          products(monitored, 'Products over a limit', [
            'filter status = 429 and ispresent(productId)',
            'stats count() as requests by productId, operation',
            'sort requests desc',
            'limit 20',
          ]),
        ],
        [
          graph('Latency, as callers see it (ms)', [
            api.metricLatency({ statistic: Stats.percentile(50), period }),
            api.metricLatency({ statistic: Stats.percentile(99), period }),
          ]),
          products(monitored, 'Contracts of reads, kept and asked', [
            'filter ispresent(productId) and ispresent(keptContracts)',
            'stats count() as requests, sum(keptContracts) as kept, sum(askedContracts) as asked by productId',
            'sort asked desc',
            'limit 20',
          ]),
        ],
        ...pairs([...rows, failures(monitored)]),
      ],
    })
  }
}

/** The responses 4xx without 429, which is an excess of calls and not a wrong call. */
const otherClientErrors = ({ api }: Monitored) =>
  new MathExpression({
    expression: 'errors - limited - throttled',
    usingMetrics: {
      errors: api.api.metricClientError({ statistic: Stats.SUM, period }),
      limited: api.accessLog.metricOf('limitedRequests', period),
      throttled: api.accessLog.metricOf('throttledRequests', period),
    },
    label: '4xx without 429',
    period,
  })

/** The query runs when somebody opens the dashboard. A rule of Contributor Insights costs money for each line. */
const products = (monitored: Monitored, title: string, queryLines: string[]) =>
  new LogQueryWidget({
    title,
    logGroupNames: logGroupNames('functions', monitored),
    queryLines,
    width: 12,
  })

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12 })

const graphOf = (row: AlarmRow, settings: Settings, monitored: Monitored) =>
  new GraphWidget({
    title: `${row.name} (${row.unit})`,
    left: [row.graph?.(monitored) ?? row.metrics(monitored, settings)].flat(),
    leftAnnotations: [{ value: thresholdOf(row, settings), label: 'alarm' }],
    width: 12,
  })

/** The answers and the messages of the background work that failed because the indexer is unavailable, and other answers. */
const failures = (monitored: Monitored) =>
  graph(
    'Failures because of the indexer, and others',
    ['indexerUnavailableAnswers', 'indexerUnavailableMessages', 'serverErrorAnswers'].map((name) =>
      loggedMetric(name, monitored),
    ),
  )

const pairs = (widgets: GraphWidget[]) =>
  widgets.flatMap((widget, index) =>
    index % 2 === 0 ? [[widget, ...widgets.slice(index + 1, index + 2)]] : [],
  )

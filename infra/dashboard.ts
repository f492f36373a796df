import { Duration, Stack } from 'aws-cdk-lib'
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { AlarmRow, Monitored } from './alarms/alarm-row.ts'
import { alarmTable } from './alarms/alarm-table.ts'
import type { Alarms } from './alarms/alarms.ts'

const period = Duration.minutes(5)

/** The dashboard of the stack: the state of all alarms, the traffic, and the metrics of each alarm. */
export class Dashboard extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { monitored, alarms }: { monitored: Monitored; alarms: Alarms },
  ) {
    super(scope, id)
    const { api } = monitored.api
    const rows = alarmTable.map((row) => graphOf(row, monitored))
    new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: 24, height: 4 })],
        [
          graph('Requests', [
            api.metricCount({ statistic: Stats.SUM, period }),
            api.metricClientError({ statistic: Stats.SUM, period }),
            api.metricServerError({ statistic: Stats.SUM, period }),
          ]),
          graph('Latency, as callers see it (ms)', [
            api.metricLatency({ statistic: Stats.percentile(50), period }),
            api.metricLatency({ statistic: Stats.percentile(99), period }),
          ]),
        ],
        ...pairs(rows),
      ],
    })
  }
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 12 })

const graphOf = (row: AlarmRow, monitored: Monitored) =>
  new GraphWidget({
    title: `${row.name} (${row.unit})`,
    left: Object.values(row.metrics(monitored)),
    leftAnnotations: [{ value: row.threshold, label: 'alarm' }],
    width: 12,
  })

const pairs = (widgets: GraphWidget[]) =>
  widgets.flatMap((widget, index) =>
    index % 2 === 0 ? [[widget, ...widgets.slice(index + 1, index + 2)]] : [],
  )

import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'
import { rootStack } from '../subject-stacks.ts'
import { type AlarmRow, type Monitored, thresholdOf } from './alarm-row.ts'
import { alarmTable } from './alarm-table.ts'
import type { AlarmTopics } from './alarm-topics.ts'
import { notification } from './notification.ts'

/** How long a notification waits for the alarm that makes it superfluous: longer than the next evaluation takes. */
const wait = Duration.minutes(5)

/** The rows of the alarm table that a deployment with these settings has. */
export const alarmRows = (settings: Settings): AlarmRow[] =>
  alarmTable.filter((row) => row.isIn?.(settings) ?? true)

/**
 * The alarms of the alarm table. Each alarm notifies the topics when its alarm state begins and ends. A row that is
 * quiet during another alarm notifies by a composite alarm for all its metrics instead, so that one cause rings once.
 */
export class Alarms extends Construct {
  readonly all: readonly Alarm[]

  constructor(
    scope: Construct,
    id: string,
    {
      monitored,
      settings,
      topics,
    }: { monitored: Monitored; settings: Settings; topics: AlarmTopics },
  ) {
    super(scope, id)
    const rows = alarmRows(settings).map((row) => {
      const metrics = [row.metrics(monitored, settings)].flat()
      const threshold = thresholdOf(row, settings)
      const alarms = metrics.map((metric, index) => {
        const name = metrics.length > 1 ? `${row.name}-${index + 1}` : row.name
        return this.addAlarm({ ...row, threshold }, name, metric)
      })
      return { row, alarms }
    })
    this.all = rows.flatMap(({ alarms }) => alarms)
    for (const { row, alarms } of rows) {
      const [during] = rows.find((other) => other.row.name === row.quietDuring)?.alarms ?? []
      const notifying = during ? [this.addComposite(row, alarms, during)] : alarms
      for (const alarm of notifying) {
        alarm.addAlarmAction(...topics.actions())
        alarm.addOkAction(...topics.actions())
      }
    }
  }

  private addAlarm(row: AlarmRow & { threshold: number }, name: string, metric: IMetric): Alarm {
    return new Alarm(this, name, {
      ...this.texts(row, name),
      metric,
      threshold: row.threshold,
      comparisonOperator: row.isBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: row.periods === 1 ? 1 : 3,
      datapointsToAlarm: row.periods,
      treatMissingData:
        row.isBelow || row.isOnWithoutData
          ? TreatMissingData.BREACHING
          : TreatMissingData.NOT_BREACHING,
    })
  }

  private addComposite(row: AlarmRow, alarms: readonly Alarm[], during: Alarm): AlarmBase {
    const { alarmName, alarmDescription } = this.texts(row, `${row.name}-unexplained`)
    return new CompositeAlarm(this, `${row.name}-unexplained`, {
      compositeAlarmName: alarmName,
      alarmDescription,
      alarmRule: AlarmRule.anyOf(
        ...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)),
      ),
      actionsSuppressor: during,
      actionsSuppressorWaitPeriod: wait,
      actionsSuppressorExtensionPeriod: wait,
    })
  }

  private texts(row: AlarmRow, name: string) {
    const { stackName } = rootStack(this)
    return {
      alarmName: `${stackName}-${name}`,
      alarmDescription: notification(row, stackName),
    }
  }
}

import { Stack } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { VolumeSettings } from '../volume-thresholds.ts'
import { type AlarmRow, type Monitored, thresholdOf } from './alarm-row.ts'
import { alarmTable } from './alarm-table.ts'

/** The settings of the alarms. */
export type AlarmSettings = VolumeSettings & { readonly alarmEmail?: string | undefined }

/** The alarms of the alarm table, and the topic that each alarm notifies when its alarm state begins and ends. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[]

  constructor(
    scope: Construct,
    id: string,
    { monitored, settings }: { monitored: Monitored; settings: AlarmSettings },
  ) {
    super(scope, id)
    const topic = this.addTopic()
    const { alarmEmail } = settings
    if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail))
    this.all = alarmTable.flatMap((row) =>
      Object.entries(row.metrics(monitored)).map(([suffix, metric]) =>
        this.addAlarm({ ...row, threshold: thresholdOf(row, settings) }, suffix, metric),
      ),
    )
    const action = new SnsAction(topic)
    for (const alarm of this.all) {
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
    }
  }

  private addTopic(): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true })
    // A topic policy replaces the default policy, which allows the account's alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    return topic
  }

  private addAlarm(row: AlarmRow & { threshold: number }, suffix: string, metric: IMetric): Alarm {
    const name = suffix === '' ? row.name : `${row.name}-${suffix}`
    return new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `${row.description} Runbook: docs/runbook.md#${row.name}`,
      metric,
      threshold: row.threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: row.periods === 1 ? 1 : 3,
      datapointsToAlarm: row.periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }
}

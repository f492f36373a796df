import { Duration, Stack } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { HttpApi } from '../api/http-api.ts'
import type { Functions, LiveFunction } from '../functions.ts'
import { functionMetric, loggedMetric } from '../monitoring/metrics.ts'

/** Shorter than the first step of a shift, so that an alarm can go off within it. */
const period = Duration.minutes(1)

/** So many failures in a minute turn an update back. */
const leastFailures = 3

export interface UpdateAlarmsProps {
  readonly api: HttpApi
  readonly functions: Pick<Functions, 'worker' | 'deliverer'>
}

/**
 * The alarms that turn an update back while it shifts traffic: on responses with a 5xx status of any operation, on failures of
 * the worker, and on those of the deliveries to webhooks (D69, D148). What fails because the indexer is unavailable does not
 * count, because the update may mend it.
 */
export class UpdateAlarms extends Construct {
  readonly names: readonly string[]

  constructor(scope: Construct, id: string, props: UpdateAlarmsProps) {
    super(scope, id)
    const { deliverer } = props.functions
    const alarms = [
      this.addAlarm('update-server-errors', 1, serverErrors(props)),
      this.addAlarm('update-worker-errors', leastFailures, workerFailures(props)),
      ...(deliverer
        ? [this.addAlarm('update-webhook-errors', leastFailures, webhookFailures(props, deliverer))]
        : []),
    ]
    this.names = alarms.map(({ alarmName }) => alarmName)
  }

  private addAlarm(name: string, threshold: number, metric: IMetric): Alarm {
    return new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription:
        'Turns back an update that shifts traffic. Outside an update, it has no effect and notifies nobody.',
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }
}

/**
 * The percentage of responses that are server errors without those of the indexer, from three in a minute. It adds the
 * errors that count: to subtract the others from all would turn an update back when their metric arrives later.
 */
function serverErrors({ api }: UpdateAlarmsProps): IMetric {
  const failed = '(FILL(answered, 0) + FILL(unanswered, 0))'
  return new MathExpression({
    expression: `IF(${failed} >= ${leastFailures}, 100 * ${failed} / requests, 0)`,
    usingMetrics: {
      answered: loggedMetric('serverErrorAnswers', { api }, period),
      unanswered: api.accessLog.metricOf('unansweredRequests', period),
      requests: api.api.metricCount({ statistic: Stats.SUM, period }),
    },
    label: '5xx without those of the indexer, % of answers',
    period,
  })
}

/** The messages whose processing failed without those of the indexer, and the invocations that Lambda ended. */
const workerFailures = ({ api, functions: { worker } }: UpdateAlarmsProps): IMetric =>
  new MathExpression({
    expression: 'FILL(failed, 0) - FILL(unavailable, 0) + FILL(ended, 0)',
    usingMetrics: {
      failed: loggedMetric('workFailures', { api }, period),
      unavailable: loggedMetric('indexerUnavailableMessages', { api }, period),
      ended: functionMetric(worker, 'Errors', Stats.SUM, period),
    },
    label: 'failures of the worker without those of the indexer',
    period,
  })

/** The deliveries and sweeps that failed because of the service, and the invocations that Lambda ended. */
const webhookFailures = ({ api }: UpdateAlarmsProps, deliverer: LiveFunction): IMetric =>
  new MathExpression({
    expression: 'FILL(failed, 0) + FILL(ended, 0)',
    usingMetrics: {
      failed: loggedMetric('deliveryDefects', { api }, period),
      ended: functionMetric(deliverer, 'Errors', Stats.SUM, period),
    },
    label: 'failures of the service in deliveries to webhooks',
    period,
  })

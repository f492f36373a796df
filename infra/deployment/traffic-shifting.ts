import { Duration, Stack, Validations } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { CfnAlias, IAlias } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { HttpApi } from '../api/http-api.ts'
import { liveAlias } from '../lambda/deployment-id.ts'
import { loggedMetric } from '../monitoring/metrics.ts'
import { type TrafficShift, trafficShifts } from '../settings/traffic-shift.ts'

/** Shorter than the first step of a shift, so that an alarm can go off within it. */
const period = Duration.minutes(1)

export interface TrafficShiftingProps {
  /** The aliases of the operations and of the worker, by their names. */
  readonly live: Readonly<Record<string, IAlias>>
  readonly api: HttpApi
  readonly worker: { metricErrors(options: object): IMetric }
  readonly shift: Exclude<TrafficShift, 'none'>
}

/**
 * Moves each alias in steps during an update, and back if an alarm goes off: on responses with a 5xx status, or on
 * failures of the worker. The update then fails, and CloudFormation turns everything else back too (D69). What fails because the
 * indexer is unavailable does not count, because the update may mend it.
 */
export class TrafficShifting extends Construct {
  constructor(scope: Construct, id: string, props: TrafficShiftingProps) {
    super(scope, id)
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' })
    const role = this.addRole(Object.values(props.live))
    const alarms = [
      this.addAlarm('update-server-errors', 1, serverErrors(props)),
      this.addAlarm('update-worker-errors', 3, workerFailures(props)),
    ]
    for (const [id, alias] of Object.entries(props.live)) {
      const group = new CfnDeploymentGroup(this, id, {
        applicationName: application.ref,
        serviceRoleArn: role.roleArn,
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        deploymentConfigName: trafficShifts[props.shift],
        alarmConfiguration: {
          enabled: true,
          alarms: alarms.map(({ alarmName: name }) => ({ name })),
        },
        autoRollbackConfiguration: {
          enabled: true,
          events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      })
      const resource = alias.node.defaultChild as CfnAlias
      resource.cfnOptions.updatePolicy = {
        codeDeployLambdaAliasUpdate: {
          applicationName: application.ref,
          deploymentGroupName: group.ref,
        },
      }
    }
  }

  /**
   * The role of CodeDeploy, which moves these aliases and reads alarms. It names them by text: a reference would close a
   * circle, because the update policy of an alias refers to its deployment group, and the group to this role.
   */
  private addRole(live: readonly IAlias[]): Role {
    const statements = [
      new PolicyStatement({
        actions: [
          'lambda:GetAlias',
          'lambda:GetProvisionedConcurrencyConfig',
          'lambda:UpdateAlias',
        ],
        resources: live.flatMap(({ version: { lambda } }) => [
          lambda.functionArn,
          `${lambda.functionArn}:${liveAlias}`,
        ]),
      }),
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    ]
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements }) },
    })
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy asks for the states of alarms by their names. It reads nothing else.',
    })
    return role
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
function serverErrors({ api }: TrafficShiftingProps): IMetric {
  const failed = '(FILL(answered, 0) + FILL(unanswered, 0))'
  return new MathExpression({
    expression: `IF(${failed} >= 3, 100 * ${failed} / requests, 0)`,
    usingMetrics: {
      answered: loggedMetric('serverErrorAnswers', { api }, period),
      unanswered: api.accessLog.addUnansweredRequests(period),
      requests: api.api.metricCount({ statistic: Stats.SUM, period }),
    },
    label: '5xx without those of the indexer, % of answers',
    period,
  })
}

/** The messages whose processing failed without those of the indexer, and the invocations that Lambda ended. */
const workerFailures = ({ api, worker }: TrafficShiftingProps): IMetric =>
  new MathExpression({
    expression: 'FILL(failed, 0) - FILL(unavailable, 0) + FILL(ended, 0)',
    usingMetrics: {
      failed: loggedMetric('workFailures', { api }, period),
      unavailable: loggedMetric('indexerUnavailableMessages', { api }, period),
      ended: worker.metricErrors({ statistic: Stats.SUM, period }),
    },
    label: 'failures of the worker without those of the indexer',
    period,
  })

import { Stack, Validations } from 'aws-cdk-lib'
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { CfnAlias, IAlias } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { liveAlias } from '../lambda/deployment-id.ts'
import { type TrafficShift, trafficShifts } from '../settings/deployment-setting-table.ts'
import { partIn } from '../subject-stacks.ts'
import type { UpdateAlarms } from './update-alarms.ts'

export interface TrafficShiftingProps {
  /** The aliases that move in steps, by the names of what they run. */
  readonly aliases: Readonly<Record<string, IAlias>>
  readonly alarms: UpdateAlarms
  readonly shift: Exclude<TrafficShift, 'none'>
}

/**
 * Moves each alias in steps during an update, and back if an alarm goes off. The update then fails, and CloudFormation turns
 * everything else back too (D69), also the aliases that moved at once (D148). The group of an alias is in its stack, with a role for
 * all groups of the stack (D147).
 */
export class TrafficShifting extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarms, shift }: TrafficShiftingProps) {
    super(scope, id)
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' })
    const roles = new Map(
      [...Map.groupBy(Object.values(aliases), (alias) => Stack.of(alias))].map(
        ([stack, own]) => [stack, this.addRole(partIn(stack, this), own)] as const,
      ),
    )
    for (const [name, alias] of Object.entries(aliases)) {
      const stack = Stack.of(alias)
      const group = new CfnDeploymentGroup(partIn(stack, this), name, {
        applicationName: application.ref,
        serviceRoleArn: `${roles.get(stack)?.roleArn}`,
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        deploymentConfigName: trafficShifts[shift],
        alarmConfiguration: {
          enabled: true,
          alarms: alarms.names.map((each) => ({ name: each })),
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
  private addRole(scope: Construct, aliases: readonly IAlias[]): Role {
    const statements = [
      new PolicyStatement({
        actions: [
          'lambda:GetAlias',
          'lambda:GetProvisionedConcurrencyConfig',
          'lambda:UpdateAlias',
        ],
        resources: aliases.flatMap(({ version: { lambda } }) => [
          lambda.functionArn,
          `${lambda.functionArn}:${liveAlias}`,
        ]),
      }),
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    ]
    const role = new Role(scope, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements }) },
    })
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy asks for the states of alarms by their names. It reads nothing else.',
    })
    return role
  }
}

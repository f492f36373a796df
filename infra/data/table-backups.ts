import { Duration, Validations } from 'aws-cdk-lib'
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'
import type { ServiceTable } from './service-table.ts'

/**
 * A backup of the table at 03:00 UTC of each day, and its copy in another vault, usually of another account (D70).
 * Both are kept for the same number of days. The vaults exist before the stack, and outlive it.
 */
export class TableBackups extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { table: ServiceTable; backup: NonNullable<Settings['backup']> },
  ) {
    super(scope, id)
    const { vault, copyTo, keepDays } = props.backup
    const deleteAfter = Duration.days(keepDays)
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: BackupVault.fromBackupVaultName(this, 'Vault', vault) as IBackupVault,
    })
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copyTo),
            deleteAfter,
          },
        ],
      }),
    )
    plan.addSelection('Table', { resources: [BackupResource.fromArn(props.table.table.tableArn)] })
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'AWS maintains the permissions that AWS Backup needs for a backup of a table.',
    })
  }
}

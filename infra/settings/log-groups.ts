import type { LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { removalPolicy } from './removal-policy.ts'
import type { Settings } from './settings.ts'

/** The settings of log groups. */
export type LogSettings = Pick<Settings, 'logGroupPrefix' | 'logRetentionDays' | 'keepData'>

/**
 * The properties of a log group with this name behind the setting `logGroupPrefix`. Without the setting, CloudFormation
 * names it.
 */
export const logGroupProps = (
  { logGroupPrefix, logRetentionDays, keepData }: LogSettings,
  name: string,
): LogGroupProps => ({
  ...(logGroupPrefix && { logGroupName: `${logGroupPrefix}/${name}` }),
  retention: logRetentionDays as RetentionDays,
  removalPolicy: removalPolicy(keepData),
})

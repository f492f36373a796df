import type { LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { removalPolicy } from './removal-policy.ts'
import type { Settings } from './settings.ts'

/** The settings of log groups. */
export type LogSettings = Pick<Settings, 'logGroupPrefix' | 'logRetentionDays' | 'keepData'>

/** The properties of a log group. Without the setting `logGroupPrefix`, CloudFormation names it. */
export function logGroupProps(settings: LogSettings, name: string): LogGroupProps {
  const logGroupName = nameBehindPrefix(settings, name)
  return {
    ...(logGroupName && { logGroupName }),
    retention: settings.logRetentionDays as RetentionDays,
    removalPolicy: removalPolicy(settings.keepData),
  }
}

/** The name of the access log, behind the setting `logGroupPrefix` or the name of the stack. */
export const accessLogName = 'http-api'

/** CloudWatch Logs lets API Gateway write into every log group whose name begins so. */
export const vendedPrefix = '/aws/vendedlogs/'

/** The name of the access log, if API Gateway needs an entry for it in a resource policy (D84). */
export function accessLogInPolicy(
  settings: Pick<LogSettings, 'logGroupPrefix'>,
): string | undefined {
  const name = nameBehindPrefix(settings, accessLogName)
  return name?.startsWith(vendedPrefix) ? undefined : name
}

const nameBehindPrefix = (
  { logGroupPrefix }: Pick<LogSettings, 'logGroupPrefix'>,
  name: string,
): string | undefined => logGroupPrefix && `${logGroupPrefix}/${name}`

import type { Environment } from 'aws-cdk-lib'
import { placeFaults } from './place-rules.ts'
import { InvalidDeploymentSettings, type Settings } from './settings.ts'

/** The keys of a context that the CDK command and its packages set themselves. */
const ofCdk = /^(aws:|@|acknowledged-issue-numbers$)|:account=/

/**
 * The name of the settings file in a context (`-c settings=<file>`), if it has one. Throws InvalidDeploymentSettings
 * if the context has a key that nothing reads, so that a misspelt key does not deploy the defaults.
 */
export function settingsFileIn(context: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(context).filter((key) => key !== 'settings' && !ofCdk.test(key))
  if (unknown.length > 0) {
    const keys = unknown.map((key) => JSON.stringify(key)).join(', ')
    throw new InvalidDeploymentSettings(
      `The context has keys that this app does not read: ${keys}. It reads -c settings=<file>.`,
    )
  }
  const { settings } = context
  return settings === undefined ? undefined : `${settings}`
}

/** The account and the Region for which the CDK command has credentials, as it tells the app. */
export interface CurrentTarget {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined
  readonly CDK_DEFAULT_REGION?: string | undefined
}

/**
 * The account and the Region of the stack, as far as the settings name them. Throws InvalidDeploymentSettings if the
 * current credentials are for others, or if AWS would refuse a resource of the settings because it is elsewhere. Without
 * credentials, nothing can be deployed, and a template can be read.
 */
export function targetOf(settings: Settings, current: CurrentTarget): Environment {
  const { account, region } = settings
  const { CDK_DEFAULT_ACCOUNT: inAccount, CDK_DEFAULT_REGION: inRegion } = current
  const faults = [
    ...(account && account !== inAccount
      ? [`account is ${account}, but the credentials are for the account ${inAccount}`]
      : []),
    ...(region && region !== inRegion
      ? [`region is ${region}, but AWS_REGION or the profile is for ${inRegion}`]
      : []),
  ]
  if (inAccount && faults.length > 0) {
    throw new InvalidDeploymentSettings(
      ['The settings are not for this account or Region:', ...faults].join('\n- '),
    )
  }
  const target = { ...(account && { account }), ...(region && { region }) }
  // Without credentials, the Region of the CDK command is one that nobody has chosen.
  const elsewhere = placeFaults(
    settings,
    inAccount ? { account: inAccount, region: inRegion } : target,
  )
  if (elsewhere.length > 0) {
    throw new InvalidDeploymentSettings(
      ['The settings name resources that AWS would refuse:', ...elsewhere].join('\n- '),
    )
  }
  return target
}

import * as v from 'valibot'
import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'
import { brokenRules } from './faults.ts'
import { stageName } from './forms.ts'
import { localStage } from './stages.ts'

// The rules that a stage and its protection set for the other settings (D68).

/** The settings that have no default but are required with the protection of `prod`. */
export function missingInProduction(settings: Readonly<Record<string, unknown>>): string[] {
  if (settings['protection'] !== 'prod') return []
  const { loginRoleArn, loginPublicKeys, loginJwksUrl, logins, walletSignIn } = settings
  const { alarmEmail, alarmTopicArn, alarmUrl } = settings
  return brokenRules({
    'alarmEmail, alarmTopicArn or alarmUrl must be set':
      (alarmEmail ?? alarmTopicArn ?? alarmUrl) === undefined,
    'loginRoleArn, loginPublicKeys, loginJwksUrl, logins or walletSignIn must be set':
      (loginRoleArn ?? loginPublicKeys ?? loginJwksUrl ?? logins ?? walletSignIn) === undefined,
  })
}

/** What the name of the stage demands of the other settings. */
export function stageFaults({
  stage,
  protection,
  awsEndpointUrl,
  domain,
  edge,
  backup,
}: Settings): string[] {
  if (stage === localStage) {
    return Object.entries({ protection, domain, edge, backup }).flatMap(([name, value]) =>
      value ? [`${name} must not be set in the stage local`] : [],
    )
  }
  return brokenRules({
    'awsEndpointUrl must not be set except in the stage local': awsEndpointUrl !== undefined,
    'protection must not be dev in the stage prod': stage === 'prod' && protection !== 'prod',
  })
}

/** A stage with a name of its own says which defaults it has, so that a misspelt `prod` is no open stage (D68). */
export function protectionFaults(given: Readonly<Record<string, unknown>>): string[] {
  const { stage = 'dev', protection } = given
  const isNamed = v.is(stageName, stage) && !['dev', 'prod', localStage].includes(stage)
  if (protection !== undefined || !isNamed) return []
  return [`protection must be set to dev or prod, because the stage ${stage} is neither of them`]
}

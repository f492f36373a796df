import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { audienceFaults, loginFaults, publicKeyFaults } from '../../lib/settings/rules.ts'
import type { Setting } from '../../lib/settings/setting.ts'
import { functionSettings, type VariableName } from '../../lib/settings/setting-table.ts'
import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'
import { brokenRules } from './faults.ts'
import { signInFaults, webhookFaults } from './feature-rules.ts'
import { loginContradictions } from './login-rules.ts'
import { concurrencyFaults } from './reserved-concurrency.ts'
import { stageFaults } from './stage-rules.ts'
import { localStage } from './stages.ts'

/** The faults between settings that are valid on their own. */
export function contradictions(settings: Settings): string[] {
  const variables = {
    USER_JWT_AUDIENCE: settings.userJwtAudience,
    PLAYER_TOKEN_AUDIENCE: settings.playerTokenAudience,
    USER_JWT_PUBLIC_KEYS: settings.loginPublicKeys,
    USER_JWT_JWKS_URL: settings.loginJwksUrl,
    USER_JWT_ALGORITHM: settings.loginAlgorithm,
  }
  return [
    ...audienceFaults(variables, nameInDeployment),
    // Beside a list, each setting of one login is a fault already.
    ...(settings.logins ? [] : loginContradictions(settings)),
    ...(settings.logins ? [] : loginFaults(variables, nameInDeployment)),
    ...(settings.logins ? [] : publicKeyFaults(variables, nameInDeployment)),
    ...stageFaults(settings),
    ...otherFaults(settings),
    ...concurrencyFaults(settings),
    ...signInFaults(settings),
    ...webhookFaults(settings),
  ]
}

/** The faults between the settings of the addresses of the API, of the table (D76), and of the sweep. */
function otherFaults(settings: Settings): string[] {
  const { domain, edge, executeApiEndpoint, dashboard } = settings
  const { restoredTable, leaveTable, stage, sweepDelaySeconds } = settings
  return brokenRules({
    'executeApiEndpoint must not be false without domain, because the API had no address':
      !executeApiEndpoint && !domain,
    'edge.domain must differ from domain, which is the address of the API behind CloudFront':
      domain !== undefined && edge?.domain?.name === domain.name,
    'dashboard needs edge, for example "edge": {}, because CloudFront serves its files':
      dashboard && !edge,
    'leaveTable must differ from restoredTable, which is the table that the deployment uses':
      leaveTable !== undefined && leaveTable === restoredTable,
    // A sweep begins when no function that began before the unbinding can still run (D19, D45).
    [`sweepDelaySeconds must be more than ${functionTimeoutSeconds}, because a function that runs for ${functionTimeoutSeconds} seconds could add entries after the sweep`]:
      stage !== localStage && sweepDelaySeconds <= functionTimeoutSeconds,
  })
}

const rows: Readonly<Record<VariableName, Setting>> = functionSettings

/** The name of a function's variable in the settings of a deployment. */
export const nameInDeployment = (variable: VariableName): string =>
  rows[variable].inDeployment ?? variable

/** Pairs of limits (D47), of which the first is never reached if it is above the second. */
const pairs = [
  ['registrationsPerAddressAndHour', 'registrationsPerHour'],
  ['indexerCallsPerProductAndMinute', 'indexerCallsPerProductAndDay'],
  ['clientIndexerCallsPerProductAndMinute', 'indexerCallsPerProductAndMinute'],
  ['clientIndexerCallsPerProductAndDay', 'indexerCallsPerProductAndDay'],
  ['clientIndexerCallsPerProductAndMinute', 'clientIndexerCallsPerProductAndDay'],
  ['signInsPerAddressAndHour', 'signInsPerHour'],
  ['contractChecksPerAddressAndHour', 'contractChecksPerHour'],
  ['contractChecksPerAccountAndHour', 'contractChecksPerAddressAndHour'],
  ['deviceCodesPerAddressAndHour', 'deviceCodesPerHour'],
] as const satisfies [keyof Settings, keyof Settings][]

/** The faults of limits that are set in vain, because another limit is reached before. A default is no fault. */
export const limitFaults = (
  given: Readonly<Record<string, unknown>>,
  settings: Settings,
): string[] =>
  pairs.flatMap(([name, other]) => {
    const [count = 0, most = Number.POSITIVE_INFINITY] = [settings[name], settings[other]]
    if (given[name] === undefined || count <= most) return []
    const source = given[other] === undefined ? ' by default' : ''
    return [`${name} must be at most ${other}, which is ${most}${source}`]
  })

import {
  assignedIdsRule,
  loginListFaults,
  type ReplacedVariable,
  replacedSettingFaults,
} from '../../lib/settings/login-rules.ts'
import { functionSettings } from '../../lib/settings/setting-table.ts'
import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'
import { brokenRules } from './faults.ts'

type Given = Readonly<Record<string, unknown>>

/** The number of logins of these settings, whatever their form: the key of the stack, beside a list, is one too. */
const countOf = ({ logins, loginRoleArn }: Given): number =>
  Array.isArray(logins) ? logins.length + (loginRoleArn === undefined ? 0 : 1) : 1

/** Whether the stack has no key of user JWTs of its own, because a list has every login. */
const isListOnly = ({ logins, loginRoleArn }: Given): boolean =>
  logins !== undefined && loginRoleArn === undefined

/** Whether every user JWT is signed with a key of a login elsewhere, so that the stack has no key for them (D22, D40, D90). */
export const isLoginElsewhere = (settings: Settings): boolean =>
  isListOnly(settings) || (settings.loginPublicKeys ?? settings.loginJwksUrl) !== undefined

/** The defaults of a stage that a list of logins leaves: not the issuer and the audience of a key that the stack does not have. */
export function withLoginDefaults(defaults: Given, given: Given): Record<string, unknown> {
  const { issuer: _, userJwtAudience: __, ...others } = defaults
  return { ...(isListOnly(given) ? others : defaults) }
}

/** The settings of tokens that are missing: a key of the stack, or a login of the single settings, has one issuer (D90). */
export function missingTokenSettings(settings: Given): string[] {
  const { issuer, userJwtAudience, logins, playerTokenIssuers } = settings
  const hasKey = !isListOnly(settings)
  return brokenRules({
    'issuer must be set': hasKey && issuer === undefined,
    'userJwtAudience must be set': hasKey && userJwtAudience === undefined,
    'playerTokenIssuers must be set with logins, which are not the issuers of player tokens':
      logins !== undefined && playerTokenIssuers === undefined,
  })
}

/** The faults of a list of logins, by itself and beside the settings that are given (D90). */
export function loginListContradictions(given: Given, settings: Settings): string[] {
  const { logins, loginRoleArn, issuer, userJwtAudience, playerTokenAudience, userIds } = settings
  if (!logins) return []
  const own =
    loginRoleArn !== undefined && issuer !== undefined && userJwtAudience !== undefined
      ? { issuer, audience: userJwtAudience }
      : undefined
  const nameOf = (variable: ReplacedVariable): string => functionSettings[variable].inDeployment
  const isSet = (variable: ReplacedVariable) => given[nameOf(variable)] !== undefined
  return [
    ...replacedSettingFaults(isSet, { list: 'logins', of: nameOf }, loginRoleArn !== undefined),
    ...loginListFaults(logins, 'logins', { own, playerTokenAudience }),
    ...logins.flatMap(({ jwksUrl }, index) =>
      jwksUrl?.startsWith('https:') === false ? [`logins.${index}.jwksUrl ${httpsRule}`] : [],
    ),
    ...brokenRules({
      [`userIds ${assignedIdsRule}`]: countOf(given) > 1 && userIds === 'subject',
    }),
  ]
}

const httpsRule = 'must be an https URL, because anybody on the way could replace the keys'

/** The faults between the settings of the login (D22, D40). */
export function loginContradictions(settings: Settings): string[] {
  const { loginRoleArn, loginPublicKeys, loginJwksUrl, loginAlgorithm, loginAlgorithms } = settings
  return brokenRules({
    'loginRoleArn and loginPublicKeys must not both be set':
      loginRoleArn !== undefined && loginPublicKeys !== undefined,
    'loginRoleArn and loginJwksUrl must not both be set':
      loginRoleArn !== undefined && loginJwksUrl !== undefined,
    [`loginJwksUrl ${httpsRule}`]: loginJwksUrl?.startsWith('https:') === false,
    'loginAlgorithm must not be set with loginJwksUrl, which has loginAlgorithms':
      loginJwksUrl !== undefined && loginAlgorithm !== 'ES256',
    'loginAlgorithm must be ES256 without loginPublicKeys, because KMS signs with ES256':
      loginJwksUrl === undefined && loginPublicKeys === undefined && loginAlgorithm !== 'ES256',
    'loginAlgorithms must be left out without loginJwksUrl':
      loginJwksUrl === undefined && loginAlgorithms !== undefined,
  })
}

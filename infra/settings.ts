import { readFileSync } from 'node:fs'
import { chains, isChain } from '../lib/domain/chain.ts'
import { chainOf } from '../lib/settings/forms.ts'
import {
  audienceFaults,
  loginFaults,
  publicKeyFaults,
  type VariableName,
} from '../lib/settings/rules.ts'
import { checkValues, type Setting, type ValueOf } from '../lib/settings/setting.ts'
import * as functionSettings from '../lib/settings/setting-table.ts'
import { deploymentSettingTable } from './deployment-setting-table.ts'
import { reservableConcurrency, sumOf, unreservedConcurrency } from './reserved-concurrency.ts'
import { stageDefaults, stages } from './stages.ts'

type Table = typeof deploymentSettingTable

type OptionalName = {
  [Name in keyof Table]: Table[Name] extends { optional: true } ? Name : never
}[keyof Table]

/** The settings of a deployment: everything in which two deployments can differ. */
export type Settings = {
  readonly [Name in Exclude<keyof Table, OptionalName>]: ValueOf<Table[Name]>
} & {
  readonly [Name in OptionalName]?: Exclude<ValueOf<Table[Name]>, undefined>
}

/** Settings that cannot be deployed. The message has one line for each fault, which names the setting. */
export class InvalidDeploymentSettings extends Error {}

/**
 * Reads the settings of a deployment from a JSON file. Without a file, returns the settings of the stage
 * dev. Throws InvalidDeploymentSettings.
 */
export function readDeploymentSettings(file: string | undefined): Settings {
  return deploymentSettings(file === undefined ? {} : parsed(file))
}

function parsed(file: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (settings?.constructor === Object) return settings as Record<string, unknown>
  } catch (error) {
    throw new InvalidDeploymentSettings(
      `${file} cannot be read as a JSON object: ${(error as Error).message}`,
    )
  }
  throw new InvalidDeploymentSettings(`${file} is not a JSON object`)
}

/** Completes settings with the defaults of their stage. Throws InvalidDeploymentSettings. */
export function deploymentSettings(given: Readonly<Record<string, unknown>>): Settings {
  const stage = stages.find((each) => each === given['stage']) ?? 'dev'
  const settings = { ...stageDefaults[stage], ...given }
  const { values, faults } = checkValues(deploymentSettingTable, settings)
  const all = [...missingInProduction(settings), ...faults, ...unknownNames(given)]
  if (all.length === 0) all.push(...contradictions(values as Settings))
  if (all.length === 0) return withIndexerShare(values as Settings)
  throw new InvalidDeploymentSettings(['The settings cannot be deployed:', ...all].join('\n- '))
}

/** The share of the indexer's plan that one product can use by default (D47). */
const productShare = 1 / 4

/** The share of a product's indexer calls that its games can cause without an API key by default (D47). */
const clientShare = 1 / 2

/** The most expensive call to the indexer, on the bill and in the throughput: docs/costs.md, docs/operations.md. */
const unitsPerCall = 480
const throughputUnitsPerCall = 100

const daysPerMonth = 30

/** The settings with the limits of indexer calls that follow from the plan. The stage `local` has no limits. */
function withIndexerShare(settings: Settings): Settings {
  if (settings.stage === 'local') return settings
  const { indexerUnitsPerSecond, indexerUnitsPerMonth } = settings
  const share = (of: number, calls: number) => Math.max(1, Math.floor(calls * of))
  const {
    indexerCallsPerProductAndMinute: byMinute = share(
      productShare,
      (indexerUnitsPerSecond * 60) / throughputUnitsPerCall,
    ),
    indexerCallsPerProductAndDay: byDay = share(
      productShare,
      indexerUnitsPerMonth / daysPerMonth / unitsPerCall,
    ),
  } = settings
  return {
    clientIndexerCallsPerProductAndMinute: share(clientShare, byMinute),
    clientIndexerCallsPerProductAndDay: share(clientShare, byDay),
    ...settings,
    indexerCallsPerProductAndMinute: byMinute,
    indexerCallsPerProductAndDay: byDay,
  }
}

/** The settings that have no default but are required in production. */
function missingInProduction(settings: Readonly<Record<string, unknown>>): string[] {
  if (settings['stage'] !== 'prod') return []
  const { loginRoleArn, loginPublicKeys, loginJwksUrl, alarmEmail, alarmTopicArn, alarmUrl } =
    settings
  const isLoginSet = (loginRoleArn ?? loginPublicKeys ?? loginJwksUrl) !== undefined
  return [
    ...((alarmEmail ?? alarmTopicArn ?? alarmUrl) === undefined
      ? ['alarmEmail, alarmTopicArn or alarmUrl must be set']
      : []),
    ...(isLoginSet ? [] : ['loginRoleArn, loginPublicKeys or loginJwksUrl must be set']),
  ]
}

const unknownNames = (given: Readonly<Record<string, unknown>>) =>
  Object.keys(given)
    .filter((name) => !Object.hasOwn(deploymentSettingTable, name))
    .map((name) => `${name} is not a setting`)

/** The faults between settings that are valid on their own. */
function contradictions(settings: Settings): string[] {
  const variables = {
    USER_JWT_AUDIENCE: settings.userJwtAudience,
    PLAYER_TOKEN_AUDIENCE: settings.playerTokenAudience,
    USER_JWT_PUBLIC_KEYS: settings.loginPublicKeys,
    USER_JWT_JWKS_URL: settings.loginJwksUrl,
    USER_JWT_ALGORITHM: settings.loginAlgorithm,
  }
  const { accountConcurrency, reservedConcurrency: own } = settings
  const isReservable = own === 'none' || sumOf(own) <= reservableConcurrency(accountConcurrency)
  return [
    ...audienceFaults(variables, nameInDeployment),
    ...loginContradictions(settings),
    ...loginFaults(variables, nameInDeployment),
    ...publicKeyFaults(variables, nameInDeployment),
    ...stageFaults(settings),
    ...addressFaults(settings),
    ...(isReservable
      ? []
      : [`reservedConcurrency must leave ${unreservedConcurrency} of accountConcurrency`]),
  ]
}

/** The faults between the settings of the login (D22, D40). */
function loginContradictions(settings: Settings): string[] {
  const { loginRoleArn, loginPublicKeys, loginJwksUrl, loginAlgorithm, loginAlgorithms } = settings
  const rules: [boolean, string][] = [
    [
      loginRoleArn !== undefined && loginPublicKeys !== undefined,
      'loginRoleArn and loginPublicKeys must not both be set',
    ],
    [
      loginRoleArn !== undefined && loginJwksUrl !== undefined,
      'loginRoleArn and loginJwksUrl must not both be set',
    ],
    [
      loginJwksUrl?.startsWith('https:') === false,
      'loginJwksUrl must be an https URL, because anybody on the way could replace the keys',
    ],
    [
      loginJwksUrl !== undefined && loginAlgorithm !== 'ES256',
      'loginAlgorithm must not be set with loginJwksUrl, which has loginAlgorithms',
    ],
    [
      loginJwksUrl === undefined && loginPublicKeys === undefined && loginAlgorithm !== 'ES256',
      'loginAlgorithm must be ES256 without loginPublicKeys, because KMS signs with ES256',
    ],
    [
      loginJwksUrl === undefined && loginAlgorithms !== undefined,
      'loginAlgorithms must be left out without loginJwksUrl',
    ],
  ]
  return rules.flatMap(([isBroken, message]) => (isBroken ? [message] : []))
}

/** The faults between the settings of the addresses of the API. */
function addressFaults({ domain, edge, executeApiEndpoint, dashboard }: Settings): string[] {
  return [
    ...(executeApiEndpoint || domain
      ? []
      : ['executeApiEndpoint must not be false without domain, because the API had no address']),
    ...(domain && edge?.domain?.name === domain.name
      ? ['edge.domain must differ from domain, which is the address of the API behind CloudFront']
      : []),
    ...(dashboard && !edge
      ? ['dashboard needs edge, for example "edge": {}, because CloudFront serves its files']
      : []),
  ]
}

/** The stage `local` has a declared endpoint and no domain or edge, and no other stage has the endpoint. */
function stageFaults({ stage, awsEndpointUrl, domain, edge }: Settings): string[] {
  if (stage === 'local') {
    return Object.entries({ domain, edge }).flatMap(([name, value]) =>
      value ? [`${name} must not be set in the stage local`] : [],
    )
  }
  return awsEndpointUrl ? ['awsEndpointUrl must not be set except in the stage local'] : []
}

/** The networks of the indexer for the open and the followed chains and the service token, each of them once (D56). */
export function indexerNetworks(settings: Settings): string[] {
  const { allowlistChains, serviceToken, followedChains = [] } = settings
  const ofToken = chainOf(serviceToken)
  const called = [...allowlistChains, ...followedChains, ...(isChain(ofToken) ? [ofToken] : [])]
  return [...new Set(called.map((chain) => chains[chain].network))]
}

const rows: Readonly<Record<VariableName, Setting>> = functionSettings

const nameInDeployment = (variable: VariableName) => rows[variable].inDeployment ?? variable

/** Environment variables of functions with the values of a deployment's settings. Omits unset settings. */
export function variablesOf(
  settings: Settings,
  ...names: VariableName[]
): Partial<Record<VariableName, string>> {
  const values: Readonly<Record<string, unknown>> = settings
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[nameInDeployment(name)]
      // A list becomes comma-separated text, and an empty list is the same as none.
      return value === undefined || `${value}` === '' ? [] : [[name, `${value}`]]
    }),
  )
}

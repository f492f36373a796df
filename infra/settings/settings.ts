import { chains, isChain } from '../../lib/domain/nft/chain.ts'
import { chainOf } from '../../lib/settings/forms.ts'
import { unknownName } from '../../lib/settings/object-form.ts'
import { checkValues, variableText } from '../../lib/settings/setting.ts'
import { functionSettings, type VariableName } from '../../lib/settings/setting-table.ts'
import { type DeploymentSettings, deploymentSettingTable } from './deployment-setting-table.ts'
import { daysPerMonth, unitsPerCall } from './indexer-plan.ts'
import { loginListContradictions, missingTokenSettings, withLoginDefaults } from './login-rules.ts'
import { contradictions, limitFaults, nameInDeployment } from './setting-rules.ts'
import { missingInProduction, protectionFaults } from './stage-rules.ts'
import { defaultsOf, localStage } from './stages.ts'

/** The settings of a deployment, complete and checked. */
export type Settings = DeploymentSettings

/** Settings that cannot be deployed. The message has one line for each fault, which names the setting. */
export class InvalidDeploymentSettings extends Error {}

/** Completes settings with the defaults of their stage. Throws InvalidDeploymentSettings. */
export function deploymentSettings(given: Readonly<Record<string, unknown>>): Settings {
  const defaults = defaultsOf(given['stage'], given['protection'])
  const settings = { ...withLoginDefaults(defaults, given), ...given }
  const { values, faults } = checkValues(deploymentSettingTable, settings)
  const all = [
    ...protectionFaults(given),
    ...missingInProduction(settings),
    ...missingTokenSettings(settings),
    ...withoutOmissions(given, faults),
    ...unknownNames(given),
  ]
  if (all.length === 0) {
    all.push(...loginListContradictions(given, values as Settings))
    all.push(...contradictions(values as Settings))
  }
  const complete = all.length === 0 ? withIndexerShare(values as Settings) : undefined
  if (complete) all.push(...limitFaults(given, complete))
  if (complete && all.length === 0) return complete
  throw new InvalidDeploymentSettings(['The settings cannot be deployed:', ...all].join('\n- '))
}

/** The share of the indexer's plan that one product can use by default (D47). */
const productShare = 1 / 4

/** The share of a product's indexer calls that its games can cause without an API key by default (D47). */
const clientShare = 1 / 2

/** The settings with the limits of indexer calls that follow from the plan. The stage `local` has no limits. */
function withIndexerShare(settings: Settings): Settings {
  if (settings.stage === localStage) return settings
  const { indexerUnitsPerSecond, indexerUnitsPerMonth } = settings
  const share = (part: number, calls: number) => Math.max(1, Math.floor(calls * part))
  const {
    // Multiplied first: a quotient that is rounded before can lose a call.
    indexerCallsPerProductAndMinute: byMinute = share(
      productShare,
      (indexerUnitsPerSecond * 60) / unitsPerCall.throughput,
    ),
    indexerCallsPerProductAndDay: byDay = share(
      productShare,
      indexerUnitsPerMonth / daysPerMonth / unitsPerCall.month,
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

/** The networks of the indexer for the open and the followed chains and the service token, each of them once (D56). */
export function indexerNetworks(settings: Settings): string[] {
  const { allowlistChains, serviceToken, followedChains = [] } = settings
  const ofToken = chainOf(serviceToken)
  const called = [...allowlistChains, ...followedChains, ...(isChain(ofToken) ? [ofToken] : [])]
  return [...new Set(called.map((chain) => chains[chain].network))]
}

const unknownNames = (given: Readonly<Record<string, unknown>>) =>
  Object.keys(given)
    .filter((name) => !Object.hasOwn(deploymentSettingTable, name))
    .map((name) => `${name} ${unknownName(name, Object.keys(deploymentSettingTable))}`)

/** Environment variables of functions with the values of a deployment's settings. Omits unset settings. */
export function variablesOf(
  settings: Settings,
  ...names: VariableName[]
): Partial<Record<VariableName, string>> {
  const values: Readonly<Record<string, unknown>> = settings
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[nameInDeployment(name)]
      const text = value === undefined ? '' : variableText(value, functionSettings[name])
      // An empty list is the same as none.
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/** The faults, with one for each text in which `…` stands for a part, in place of the other faults of this text. */
function withoutOmissions(
  given: Readonly<Record<string, unknown>>,
  faults: readonly string[],
): string[] {
  const omissions = omissionsIn(given)
  const others = faults.filter((fault) => !omissions.some((path) => fault.startsWith(`${path} `)))
  return [
    ...omissions.map((path) => `${path} must be complete: three dots stand for a part of it`),
    ...others,
  ]
}

const omission = /…|^arn:.*\.\.\.(?=$|[:/])/

/** The paths of the texts with an omission. */
function omissionsIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return omission.test(value) ? [path.join('.')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => omissionsIn(inner, [...path, key]))
}

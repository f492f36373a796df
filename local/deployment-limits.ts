import * as v from 'valibot'
import { deploymentSettings, variablesOf } from '../infra/settings/settings.ts'
import { checkVariables, type Setting } from '../lib/settings/setting.ts'
import { functionSettings, type VariableName } from '../lib/settings/setting-table.ts'

export const LIMITS = {
  meaning:
    '`deployment` sets each limit below that is not set to its default in a deployment (D47); `none` does not',
  form: v.picklist(['none', 'deployment'], 'must be none or deployment'),
  default: 'none',
} as const

/** Whether a setting is the count of a limit, which does not apply if it is not set. */
const isLimit = ([, { form, optional, default: otherwise }]: [string, Setting]): boolean =>
  form.type === 'number' && optional === true && otherwise === undefined

const limitNames = Object.entries<Setting>(functionSettings)
  .filter(isLimit)
  .map(([name]) => name as VariableName)

/** The limits of a deployment with the defaults, as environment variables. */
export const deploymentLimits = variablesOf(deploymentSettings({ stage: 'dev' }), ...limitNames)

/** The variables, with the limits of a deployment if LIMITS asks for them. Limits that are set stay. */
export function withLimits(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  if (checkVariables({ LIMITS }, variables).values.LIMITS !== 'deployment') return variables
  const given = Object.entries(variables).filter(([, text]) => text)
  return { ...deploymentLimits, ...Object.fromEntries(given) }
}

import { expect } from 'vitest'
import { deploymentSettings, InvalidDeploymentSettings } from '../../infra/settings/settings.ts'

/** The faults of settings that cannot be deployed, in alphabetical order. */
export const faultsIn = (settings: Readonly<Record<string, unknown>>): string[] =>
  faultsOf(() => deploymentSettings(settings))

/** The lines of the error after the first line, in alphabetical order. */
export function faultsOf(
  read: () => unknown,
  firstLine = 'The settings cannot be deployed:',
): string[] {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDeploymentSettings)
    const [heading, ...faults] = (error as Error).message.split('\n- ')
    expect(heading).toBe(firstLine)
    return faults.toSorted()
  }
  return []
}

/** Settings with these changes, of which `undefined` removes a setting, have one fault, which begins so. */
export function expectFault(settings: object, changes: object, fault: string): void {
  const given = Object.entries({ ...settings, ...changes })
  const changed = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const [found = '', ...others] = faultsIn(changed)
  expect([found.slice(0, fault.length), others]).toEqual([fault, []])
}

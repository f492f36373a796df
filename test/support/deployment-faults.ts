import { expect } from 'vitest'
import { deploymentSettings, InvalidDeploymentSettings } from '../../infra/settings/settings.ts'

/** The lines of the error after the first line, in alphabetical order. */
export function faultsOf(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDeploymentSettings)
    const [heading, ...faults] = (error as Error).message.split('\n- ')
    expect(heading).toBe('The settings cannot be deployed:')
    return faults.toSorted()
  }
  return []
}

/** Settings with these changes, of which `undefined` removes a setting, have one fault, which begins so. */
export function expectFault(settings: object, changes: object, fault: string): void {
  const given = Object.entries({ ...settings, ...changes })
  const changed = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const [found = '', ...others] = faultsOf(() => deploymentSettings(changed))
  expect([found.slice(0, fault.length), others]).toEqual([fault, []])
}

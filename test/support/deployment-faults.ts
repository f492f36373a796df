import { expect } from 'vitest'
import { InvalidDeploymentSettings } from '../../infra/settings/settings.ts'

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

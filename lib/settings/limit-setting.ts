import { wholeNumber } from './forms.ts'

const limitCount = wholeNumber(1, 10_000_000)

/** The count of a limit. Without the setting, the limit does not apply (D47). */
// @__NO_SIDE_EFFECTS__
export const limitSetting = <const Name extends string>(inDeployment: Name, meaning: string) => ({
  meaning: `${meaning} (D47)`,
  form: limitCount,
  notation: 'number' as const,
  optional: true as const,
  inDeployment,
})

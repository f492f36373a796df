import * as v from 'valibot'
import { claimPath } from './forms.ts'

export type ClaimValue = string | number | boolean

/** The value, or each of the values of which one is enough, by the path of the claim or field. */
export type ClaimValues = Readonly<Record<string, ClaimValue | readonly ClaimValue[]>>

const rule =
  'must be an object with a path for each name, and as its value a text, a number, true or false, or a list of them'

const isValue = (value: unknown): value is ClaimValue =>
  ['string', 'number', 'boolean'].includes(typeof value)

const isValues = (values: unknown): boolean =>
  isValue(values) || (Array.isArray(values) && values.length > 0 && values.every(isValue))

/** Values by path, at least one. `v.record` would leave out names such as `constructor`, and with them what they demand. */
// @__NO_SIDE_EFFECTS__
export const claimValues = () =>
  v.pipe(
    v.custom<ClaimValues>(
      (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
      rule,
    ),
    v.check((given) => Object.keys(given).length > 0, 'must not be empty'),
    v.check(
      (given) =>
        Object.entries(given).every(([path, values]) => v.is(claimPath, path) && isValues(values)),
      rule,
    ),
  )

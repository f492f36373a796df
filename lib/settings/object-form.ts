import * as v from 'valibot'
import { unknownName } from './near-names.ts'

/**
 * An object with these entries and no others. Each unknown name is a fault, where `v.strictObject` names only the
 * first.
 */
// @__NO_SIDE_EFFECTS__
export function objectOf<const Entries extends v.ObjectEntries>(entries: Entries, message: string) {
  const known = Object.keys(entries)
  return v.lazy((value) => {
    // valibot takes a list for an object.
    if (Array.isArray(value)) return v.never(message)
    const unknown = Object.keys(Object(value)).filter((name) => !known.includes(name))
    const faults = unknown.map((name) => [name, v.never(unknownName(name, known))])
    return v.object({ ...entries, ...Object.fromEntries(faults) }, message)
  }) as unknown as v.StrictObjectSchema<Entries, string>
}

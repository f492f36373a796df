import { routes } from '../functions/operations.ts'
import { type Feature, problemsOf, type Route } from '../lib/contract/route.ts'
import { type LimitName, signInLimitNames, webhookLimitNames } from '../lib/domain/limit/limit.ts'
import type { ProblemCode } from '../lib/domain/problems.ts'

// A deployment serves the document without what its settings do not have (lib/contract/deployed-document.ts). What needs a
// setting is marked with its name: an object by `x-needs`, and values of an enumeration by `x-needs-of-values` beside it.

/**
 * What a deployment must have for one of these routes; `undefined`: nothing, or there is none. Throws if either of two
 * is enough.
 */
export function needOf(isOne: (route: Route) => boolean): Feature | undefined {
  const needs = new Set(
    Object.values<Route>(routes)
      .filter(isOne)
      .map((route) => route.needs),
  )
  const [need] = needs
  if (needs.size < 2) return need
  if (needs.has(undefined)) return undefined
  throw new Error(`A part of the document needs one of ${[...needs].join(', ')}.`)
}

export const needOfProblem = (code: ProblemCode): Feature | undefined =>
  needOf((route) => problemsOf(route).includes(code))

const limitsOfFeatures: readonly (readonly [Feature, readonly LimitName[]])[] = [
  ['walletSignIn', signInLimitNames],
  ['webhooks', webhookLimitNames],
]

export const needOfLimit = (name: LimitName): Feature | undefined =>
  limitsOfFeatures.find(([, names]) => names.includes(name))?.[0]

/** The mark of an object of the document. */
export const mark = (need: Feature | undefined): { 'x-needs'?: Feature } =>
  need ? { 'x-needs': need } : {}

/** The mark of those values of an enumeration that need a setting. */
export function markOfValues<Value extends string>(
  values: readonly Value[],
  needOfValue: (value: Value) => Feature | undefined,
): { 'x-needs-of-values'?: Record<string, Value[]> } {
  const { everywhere: _, ...needing } = Object.groupBy(
    values,
    (value) => needOfValue(value) ?? 'everywhere',
  )
  return Object.keys(needing).length > 0 ? { 'x-needs-of-values': needing } : {}
}

/** Prose about something that needs a setting. */
export const withNeed = (prose: string, need: Feature | undefined): string =>
  need ? `${prose} Only in deployments with \`${need}\`.` : prose

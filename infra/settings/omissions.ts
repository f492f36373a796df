/**
 * The faults of settings, with one for each text in which `…` stands for a part, as in the examples of the documentation,
 * in place of the other faults of this text.
 */
export function withoutOmissions(
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

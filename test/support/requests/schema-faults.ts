import * as v from 'valibot'

/** The faults of an input: the first message about each invalid field. */
export function faults(schema: v.GenericSchema, input: unknown): Record<string, string> {
  const { issues = [] } = v.safeParse(schema, input)
  const said = issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message] as const)
  return Object.fromEntries(said.filter(([path], at) => said.findIndex(([p]) => p === path) === at))
}

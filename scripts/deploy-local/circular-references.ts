/** The resources of a template, by their logical ids. */
type Resources = Readonly<Record<string, object>>

/** For each resource, the resources that must be there first, each with the attribute that needs it. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Throws an error that names a shortest circle of references in a template, if it has any. CloudFormation refuses such a
 * template, also if the circle goes through an attribute beside the properties, for example `UpdatePolicy`.
 */
export function expectNoCircle({ Resources }: { readonly Resources: Resources }): void {
  const circle = circleIn(Resources)
  if (circle) throw new Error(`The template has a circle of references: ${circle}`)
}

/**
 * A shortest circle of references between resources, as `A (Properties) → B (DependsOn) → A`, or undefined. A reference
 * is `Ref`, `Fn::GetAtt` or `Fn::Sub` anywhere in a resource, or `DependsOn`.
 */
export function circleIn(resources: Resources): string | undefined {
  const circular = withoutTrees(graphOf(resources))
  const circles = [...circular.keys()].map((id) => shortestCircle(circular, id))
  const [shortest] = circles.filter((each) => each !== undefined).toSorted(byLength)
  return shortest?.join(' → ')
}

const byLength = (a: readonly string[], b: readonly string[]) => a.length - b.length

function graphOf(resources: Resources): Graph {
  const needsOf = ([attribute, value]: [string, unknown]) => {
    const names = attribute === 'DependsOn' ? [value].flat() : referencesIn(value)
    return names.map((name) => [`${name}`, attribute] as const)
  }
  const graph = Object.entries(resources).map(([id, resource]) => {
    const needs = Object.entries(resource).flatMap(needsOf)
    return [id, new Map(needs.filter(([name]) => Object.hasOwn(resources, name)))] as const
  })
  return new Map(graph)
}

/** The names to which a value refers: of resources, parameters and pseudo parameters. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return inner
    if (key === 'Fn::GetAtt') return [nameIn([inner].flat()[0]), ...referencesIn(inner)]
    if (key === 'Fn::Sub') return [...substitutedIn(inner), ...referencesIn(inner)]
    return referencesIn(inner)
  })
}

/**
 * The names in a text for `Fn::Sub`, or in a text with a map, whose keys are variables and no names. A literal, such as
 * `${!Name}`, is `!Name`, which no resource has as its name.
 */
function substitutedIn(value: string | readonly [string, object]): string[] {
  const [text, variables] = typeof value === 'string' ? [value, {}] : value
  const names = [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, name = '']) => name.trim())
  return names.filter((name) => !Object.hasOwn(variables, name)).map(nameIn)
}

/** The name of a resource in `Resource.Attribute`. */
const nameIn = (text: string): string => text.split('.', 1)[0] ?? text

/** Everything that is in a circle, or needs something that is. */
function withoutTrees(graph: Graph): Graph {
  const rest = new Map(graph)
  const isFree = (id: string) => [...(graph.get(id)?.keys() ?? [])].every((to) => !rest.has(to))
  for (let size = Number.POSITIVE_INFINITY; rest.size < size; ) {
    size = rest.size
    for (const id of rest.keys()) if (isFree(id)) rest.delete(id)
  }
  return rest
}

/** The shortest way from a resource back to itself: each resource with the attribute that needs the next. */
function shortestCircle(graph: Graph, start: string): string[] | undefined {
  const ways: { to: string; steps: string[] }[] = [{ to: start, steps: [] }]
  const seen = new Set<string>()
  for (const { to: from, steps } of ways) {
    for (const [to, attribute] of graph.get(from) ?? []) {
      const longer = [...steps, `${from} (${attribute})`]
      if (to === start) return [...longer, start]
      if (!seen.has(to)) ways.push({ to, steps: longer })
      seen.add(to)
    }
  }
  return
}

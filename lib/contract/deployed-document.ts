import type { Feature } from './route.ts'

type Json = Readonly<Record<string, unknown>>

interface Document extends Json {
  readonly 'x-problems': Json
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Readonly<Record<string, Json>>
}

/**
 * The document without what is marked with `x-needs` and an absent feature, and without what nothing refers to any
 * more.
 */
export function deployedDocument(whole: Document, absent: readonly Feature[]): Document {
  if (absent.length === 0) return whole
  const { components, ...rest } = without(absent, whole) as unknown as Document
  const isDangling = (part: unknown) => isReference(part) && !isIn(components, part.$ref)
  const { paths, ...others } = withoutMembers(isDangling, rest) as typeof rest
  const document = {
    ...others,
    // Each problem has an example. Its response can be a reference, which can have no mark.
    'x-problems': ofNames(
      others['x-problems'],
      (code) => at(components, `examples/${code}`) !== undefined,
    ),
    paths: Object.fromEntries(Object.entries(paths).filter(([, item]) => hasMembers(item))),
  }
  const kept = withoutMembers(isDangling, components) as Document['components']
  const used = usedIn(document, kept)
  return {
    ...document,
    components: Object.fromEntries(
      Object.entries(kept).map(([kind, named]) => [
        kind,
        // Operations name the security schemes, and refer to all others.
        kind === 'securitySchemes' ? named : ofNames(named, (name) => used.has(`${kind}/${name}`)),
      ]),
    ),
  }
}

const isObject = (part: unknown): part is Json => typeof part === 'object' && part !== null

const isReference = (part: unknown): part is { $ref: string } =>
  isObject(part) && typeof part['$ref'] === 'string'

const hasMembers = (part: Json): boolean => Object.keys(part).length > 0

/** A part without what needs an absent feature: objects, and values of enumerations. */
function without(absent: readonly Feature[], part: Json): Json {
  const needs = (inner: unknown) => isObject(inner) && absent.includes(inner['x-needs'] as Feature)
  return withoutMembers(needs, part, (inner) => withoutValues(absent, inner))
}

function withoutValues(absent: readonly Feature[], part: Json): Json {
  const { 'x-needs-of-values': needing, ...enumeration } = part
  if (!isObject(needing)) return part
  const left = ofNames(needing, (feature) => !absent.includes(feature as Feature))
  const values = new Set(absent.flatMap((feature) => needing[feature]))
  const isLeft = (value: unknown) => !values.has(value)
  return {
    ...Object.fromEntries(
      Object.entries(enumeration).map(([name, list]) => [
        name,
        Array.isArray(list) ? list.filter(isLeft) : list,
      ]),
    ),
    ...(hasMembers(left) && { 'x-needs-of-values': left }),
  }
}

/** A part without the members and items, at any depth, of which `isOut` is true. `change` changes each object in it first. */
function withoutMembers(
  isOut: (part: unknown) => boolean,
  part: Json,
  change: (part: Json) => Json = (same) => same,
): Json {
  const inside = (inner: unknown): unknown =>
    isObject(inner) ? withoutMembers(isOut, inner, change) : inner
  if (Array.isArray(part)) {
    return part.filter((item) => !isOut(item)).map(inside) as unknown as Json
  }
  return Object.fromEntries(
    Object.entries(change(part))
      .filter(([, member]) => !isOut(member))
      .map(([name, member]) => [name, inside(member)]),
  )
}

const ofNames = (named: Json, isLeft: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(named).filter(([name]) => isLeft(name)))

const componentOf = (reference: string): string => reference.slice('#/components/'.length)

function at(components: Document['components'], component: string): unknown {
  const [kind = '', name = ''] = component.split('/')
  return components[kind]?.[name]
}

const isIn = (components: Document['components'], reference: string): boolean =>
  at(components, componentOf(reference)) !== undefined

/** The components to which a part refers, also through other components. */
function usedIn(part: unknown, components: Document['components']): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = (inner: unknown) => {
    if (!isObject(inner)) return
    if (isReference(inner)) {
      const component = componentOf(inner.$ref)
      if (!used.has(component)) {
        used.add(component)
        visit(at(components, component))
      }
    }
    for (const member of Object.values(inner)) visit(member)
  }
  visit(part)
  return used
}

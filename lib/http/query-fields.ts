import type * as v from 'valibot'
import { nearMissesOf } from '../contract/near-misses.ts'
import type { Fields } from '../contract/route.ts'
import { unverified } from '../json/unverified.ts'
import { addNearMisses, isOptional, type ReadFields, sentRepeatedly } from './read-fields.ts'

interface Parameter {
  name: string
  isOptional: boolean
  isList: boolean
}

/**
 * Returns a function that takes the parameters of a schema from a query. The items of a list are
 * repeated or comma separated, under the name of the list, with or without brackets: `chains=`,
 * `chains[]=`, `chains[0]=`. All forms add to one list, in the order of the query (D13, D20, D34).
 */
export function queryReader(fields: Fields): (query: URLSearchParams) => ReadFields {
  const parameters = Object.entries(fields.entries).map(([name, schema]) => ({
    name,
    isOptional: isOptional(schema),
    isList: isList(schema),
  }))
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const nearMisses = nearMissesOf([...byName.keys()])
  return (query) => {
    const { texts, unknown } = sortTexts(query, byName)
    const read: ReadFields = { input: {}, faults: new Map() }
    for (const parameter of parameters) {
      takeParameter(parameter, texts.get(parameter.name) ?? [], read)
    }
    addNearMisses(read, nearMisses, inQuery, unknown)
    return read
  }
}

const inQuery = { place: 'query', advice: 'is not a parameter of this operation; use' } as const

/** Collects the texts of each parameter, and the parameters that are not known. */
function sortTexts(query: URLSearchParams, byName: ReadonlyMap<string, Parameter>) {
  const texts = new Map<string, string[]>()
  const unknown: [name: string, text: string][] = []
  for (const [sent, text] of query) {
    const parameter = byName.get(sent) ?? listOf(sent, byName)
    const known = parameter && texts.get(parameter.name)
    if (known) known.push(text)
    else if (parameter) texts.set(parameter.name, [text])
    else unknown.push([sent, text])
  }
  return { texts, unknown }
}

/** The list whose name is before `[]`, or before brackets with a number. */
function listOf(sent: string, byName: ReadonlyMap<string, Parameter>): Parameter | undefined {
  if (!sent.endsWith(']')) return undefined
  const [, name = ''] = /^(\w+)\[\d*\]$/.exec(sent) ?? []
  const parameter = byName.get(name)
  return parameter?.isList ? parameter : undefined
}

function takeParameter(
  { name, isOptional, isList }: Parameter,
  texts: readonly string[],
  { input, faults }: ReadFields,
): void {
  if (isList) {
    const items = texts.flatMap((text) => text.split(','))
    const given = isOptional ? items.filter((item) => item !== '') : items
    if (given.length > 0) input[name] = given
  } else if (texts.length > 1) {
    input[name] = texts
    faults.set(name, sentRepeatedly('query', name, texts.length))
  } else if (texts[0] !== undefined && !(isOptional && texts[0] === '')) {
    input[name] = texts[0]
  }
}

function isList(schema: v.GenericSchema): boolean {
  const { wrapped = schema } = unverified(schema)
  return unverified(wrapped)['type'] === 'array'
}

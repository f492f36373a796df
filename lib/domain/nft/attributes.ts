import { elements, members } from '../../json/json-text.ts'

/** A trait of an NFT (specification 2.4). */
export interface Attribute {
  name: string
  value: string
}

const sources = ['attributes', 'traits', 'properties']

/**
 * The attributes of the first source with an entry of a known form, and the number of entries of other forms up to it
 * (D134).
 */
export function attributesOf(fields: ReadonlyMap<string, string>): {
  attributes: Attribute[]
  leftOut: number
} {
  let leftOut = 0
  for (const source of sources) {
    const memberText = source === 'properties' ? propertyValue : valueText
    const entries = entriesOf(unpacked(fields.get(source) ?? 'null'), memberText)
    const attributes = entries.filter((entry) => entry !== undefined)
    leftOut += entries.length - attributes.length
    if (attributes.length > 0) return { attributes, leftOut }
  }
  return { attributes: [], leftOut }
}

/** An entry of a source; `undefined` if it has no known form. */
type Entry = Attribute | undefined

/** The entries of a list, of the lists in it, or of an object as names and values. */
function entriesOf(json: string, memberText: (json: string) => string | undefined): Entry[] {
  if (json.startsWith('{')) {
    return [...memberTexts(json)].map(([name, value]) => attribute(name, memberText(value)))
  }
  if (!json.startsWith('[')) return scalarText(json)?.trim() ? [undefined] : []
  return unpackedElements(json).flatMap((element) =>
    element.startsWith('[') ? elementTexts(element).map(entry) : [entry(element)],
  )
}

/** Each text without JSON takes an exception of some 30 µs. After this many, a list has no JSON as text. */
const maxTexts = 100

function unpackedElements(json: string): string[] {
  let texts = 0
  return elementTexts(json).map((element) => {
    if (texts === maxTexts) return element
    const value = unpacked(element)
    if (value.startsWith('"')) texts += 1
    return value
  })
}

function entry(json: string): Entry {
  if (!json.startsWith('{')) return undefined
  const fields = memberTexts(json)
  const [name, traitType, key] = ['name', 'trait_type', 'key'].map((field) =>
    scalarText(fields.get(field)),
  )
  return attribute(name || traitType || key, valueText(fields.get('value')))
}

const attribute = (name: string | undefined, value: string | undefined): Entry =>
  name && value !== undefined ? { name, value } : undefined

/** The value of a member of `properties`, which can be an object around it (ERC-1155). */
const propertyValue = (json: string): string | undefined =>
  json.startsWith('{') ? valueText(memberTexts(json).get('value')) : scalarText(json)

/** The list or object that a text contains as JSON; any other value as it is. */
function unpacked(json: string): string {
  if (!json.startsWith('"')) return json
  const text: string = JSON.parse(json).trim()
  return /^[[{]/.test(text) && isJson(text) ? text : json
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The members of an object by their keys, as JSON text. The last of several members with the same key counts, as in JSON.parse. */
export function memberTexts(json: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { key, start, end } of members(json)) texts.set(key, json.slice(start, end))
  return texts
}

/** The elements of a list as JSON text, in order. */
export const elementTexts = (json: string): string[] =>
  Array.from(elements(json), ({ start, end }) => json.slice(start, end))

/** A value as text: a string unchanged, anything else as its JSON text; `undefined` for `null`. */
function valueText(json: string | undefined): string | undefined {
  if (json === undefined || json === 'null') return undefined
  return json.startsWith('"') ? JSON.parse(json) : json
}

/** The text of a string, number or boolean; `undefined` for anything else. */
export const scalarText = (json: string | undefined): string | undefined =>
  json === undefined || /^[[{n]/.test(json) ? undefined : valueText(json)

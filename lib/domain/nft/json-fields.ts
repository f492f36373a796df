import { elements, members } from '../../json/json-text.ts'

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
export function valueText(json: string | undefined): string | undefined {
  if (json === undefined || json === 'null') return undefined
  return json.startsWith('"') ? JSON.parse(json) : json
}

/** The text of a string, number or boolean; `undefined` for anything else. */
export const scalarText = (json: string | undefined): string | undefined =>
  json === undefined || /^[[{n]/.test(json) ? undefined : valueText(json)

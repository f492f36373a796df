import { elements, members } from '../../json/json-text.ts'

/** The HTTPS gateways that stand in for `ipfs:` and `ar:` URLs, each ending in a slash (D28). */
export interface Gateways {
  ipfs: string
  arweave: string
}

/** Metadata in one form for all games (specification 2.4; D28). */
export interface StructuredMetadata {
  name: string
  description: string
  image: string | null
  attributes: Attribute[]
}

interface Attribute {
  name: string
  value: string
}

/**
 * Reads structured metadata from the JSON text of one object (D28). It is read from the text, because
 * values keep the spelling of the source: `5.0` becomes `"5.0"`.
 */
export function structuredMetadata(json: string, gateways: Gateways): StructuredMetadata {
  const fields = memberTexts(json)
  return {
    name: scalarText(fields.get('name')) ?? '',
    description: scalarText(fields.get('description')) ?? '',
    image: imageUrl(fields, gateways),
    attributes: attributesOf(fields.get('attributes')),
  }
}

/** An object's members as JSON text. The last of several members with the same key counts, as in JSON.parse. */
function memberTexts(json: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { key, start, end } of members(json)) texts.set(key, json.slice(start, end))
  return texts
}

const imageFields = ['image', 'image_url', 'imageUrl']

function imageUrl(fields: Map<string, string>, gateways: Gateways): string | null {
  for (const field of imageFields) {
    const json = fields.get(field)
    if (!json?.startsWith('"')) continue
    const url = linkable(JSON.parse(json), gateways)
    if (url) return url
  }
  return null
}

function linkable(url: string, gateways: Gateways): string | undefined {
  if (/^(https?:\/\/|data:image\/)./i.test(url)) return url
  const path = url.replace(/^(ipfs:\/*(ipfs\/+)?|ar:\/*)/i, '')
  if (path === '' || path === url) return undefined
  return (/^ipfs:/i.test(url) ? gateways.ipfs : gateways.arweave) + path
}

/** Attributes from an array of objects, or from an object as name → value. */
function attributesOf(json = ''): Attribute[] {
  if (json.startsWith('{')) {
    return [...memberTexts(json)].flatMap(([name, value]) => attribute(name, valueText(value)))
  }
  if (!json.startsWith('[')) return []
  return [...elements(json)].flatMap(({ start, end }) => {
    const element = json.slice(start, end)
    if (!element.startsWith('{')) return []
    const fields = memberTexts(element)
    const name = scalarText(fields.get('name')) || scalarText(fields.get('trait_type'))
    return attribute(name, valueText(fields.get('value')))
  })
}

const attribute = (name: string | undefined, value: string | undefined): Attribute[] =>
  name && value !== undefined ? [{ name, value }] : []

/** A value as text: a string unchanged, anything else as its JSON text; `undefined` for `null`. */
function valueText(json: string | undefined): string | undefined {
  if (json === undefined || json === 'null') return undefined
  return json.startsWith('"') ? JSON.parse(json) : json
}

/** The text of a string, number or boolean; `undefined` for anything else. */
const scalarText = (json: string | undefined): string | undefined =>
  json === undefined || /^[[{n]/.test(json) ? undefined : valueText(json)

const source = Symbol('JSON text')

/** JSON that is written out exactly as it stands, never parsed: number forms, key order and all. */
export interface JsonText {
  readonly [source]: string
}

/** What {@link serialize} writes: JSON values, and {@link JsonText} anywhere among them. */
export type Json =
  | string
  | number
  | boolean
  | null
  | JsonText
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }

/** Marks a text as JSON already. Nothing checks it. */
export const jsonText = (text: string): JsonText => ({ [source]: text })

const isJsonText = (value: object): value is JsonText => source in value

/** Writes a value as JSON, with each {@link JsonText} spliced in verbatim; `undefined` members are left out. */
export function serialize(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isJsonText(value)) return value[source]
  if (Array.isArray(value)) return `[${value.map(serialize).join()}]`
  let members = ''
  for (const [name, member] of Object.entries<Json | undefined>(value)) {
    if (member === undefined) continue
    if (members) members += ','
    members += `${JSON.stringify(name)}:${serialize(member)}`
  }
  return `{${members}}`
}

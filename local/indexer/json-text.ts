const source = Symbol('JSON text')

/** JSON that is copied to the output without parsing, so that number forms and key order remain. */
export interface JsonText {
  readonly [source]: string
}

/** The values that {@link serialize} accepts: JSON values that may contain {@link JsonText}. */
export type Json =
  | string
  | number
  | boolean
  | null
  | JsonText
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }

/** Marks a text as JSON, without a check. */
export const jsonText = (text: string): JsonText => ({ [source]: text })

const isJsonText = (value: object): value is JsonText => source in value

/** Returns a value as JSON, with each {@link JsonText} unchanged and without `undefined` members. */
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

/** A schema of the OpenAPI document, as far as a type depends on it. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Keywords that change no type: they limit values, or say who has them. */
const limits = [
  ...['additionalProperties', 'contentEncoding', 'maxItems', 'maxLength', 'maximum', 'minItems'],
  ...['minLength', 'minimum', 'pattern', 'x-extensible-enum', 'x-needs', 'x-needs-of-values'],
]
const keywords: ReadonlySet<string> = new Set([
  ...['$ref', 'description', 'type', 'format', 'const', 'enum', 'anyOf', 'items', 'properties'],
  ...['required', ...limits],
])

const simple: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  any: 'unknown',
  // An object with known fields has a name.
  object: 'Record<string, unknown>',
}

/** The type of a named schema. */
export type TypeOf = (name: string) => string

/** The TypeScript type of a schema. @throws {Error} for a keyword or type that it does not know. */
export function typeText(schema: Schema, typeOf: TypeOf): string {
  return [...new Set(members(schema, typeOf))].join(' | ')
}

function members(schema: Schema, typeOf: TypeOf): string[] {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword))
  if (unknown) throw new Error(`Add the keyword ${unknown} to ${import.meta.filename}.`)
  if (schema.$ref) return [typeOf(nameOf(schema.$ref))]
  if (schema.anyOf) return schema.anyOf.flatMap((member) => members(member, typeOf))
  if (schema.enum) return schema.enum.map(literal)
  if ('const' in schema) return [literal(schema.const)]
  return [schema.type ?? 'any'].flat().map((type) => {
    if (type === 'array') return arrayOf(typeText(schema.items ?? {}, typeOf))
    const text = simple[type]
    if (!text) throw new Error(`Add the type ${type} to ${import.meta.filename}.`)
    return text
  })
}

/** The name of a schema, in a reference to it. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

const arrayOf = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`)

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

/** A field of an object type. */
export interface Field {
  name: string
  description: string
  type: string
  isOptional: boolean
}

/** An object type with a comment for each field. */
export const objectText = (fields: readonly Field[]): string =>
  [
    '{',
    ...fields.flatMap(({ name, description, type, isOptional }) => [
      ...comment(description, '  '),
      `  ${name}${isOptional ? '?' : ''}: ${type}`,
    ]),
    '}',
  ].join('\n')

/** The lines of a comment, each of at most 100 characters. */
export function comment(text: string, indentation = ''): string[] {
  const width = 97 - indentation.length
  const [line = '', ...more] = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((paragraph) => wrapped(paragraph, width))
  const isShort = more.length === 0 && line.length + 4 <= width
  const lines = isShort
    ? [`/** ${line} */`]
    : ['/**', ...[line, ...more].map((each) => ` * ${each}`), ' */']
  return lines.map((each) => indentation + each)
}

/** The words of a text, in lines of at most so many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

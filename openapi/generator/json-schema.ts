import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { openApiDocument } from '../../lib/contract/answers.ts'
import type { Documented, DocumentedList } from '../../lib/contract/fields.ts'
import { chainNames } from '../../lib/domain/chain.ts'
import { schemaDocumentation } from '../components/schemas.ts'

const definitions = Object.fromEntries(
  Object.entries(schemaDocumentation).map(([name, { schema }]) => [name, schema]),
)

/** Objects whose fields are described: by name in the document, or by the OpenAPI specification. */
const describedEntries = new Set<unknown>(
  [...Object.values(definitions), openApiDocument].map(
    (schema) => 'entries' in schema && schema.entries,
  ),
)

const config: ConversionConfig = {
  target: 'draft-2020-12',
  // The document describes the wire form, not the parsed form.
  typeMode: 'input',
  overrideRef: ({ referenceId }) => pointer(referenceId),
  overrideSchema: ({ valibotSchema, jsonSchema, referenceId }) => {
    const schema = valibotSchema as v.GenericSchema & Partial<DocumentedList>
    if (schema.itemSchema) return { ...jsonSchema, items: inline(schema.itemSchema) }
    if (isAnyChain(schema) && !referenceId) return { $ref: pointer('Chain') }
    if (schema.type === 'literal')
      return { type: typeof jsonSchema.const as 'string', ...jsonSchema }
    if (jsonSchema.type === 'object') return objectSchema(schema, jsonSchema)
    return undefined
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, jsonSchema: words } = valibotAction as { type: string } & Partial<Documented>
    // Rules that JSON Schema cannot express are in the prose.
    const isProse = type === 'check' || type === 'partial_check'
    return words || isProse ? { ...jsonSchema, ...words } : undefined
  },
}

const pointer = (name: string) => `#/components/schemas/${name}`

const isAnyChain = (schema: v.GenericSchema) => 'options' in schema && schema.options === chainNames

function objectSchema(schema: v.GenericSchema, jsonSchema: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = jsonSchema
  const fields = Object.keys(properties ?? {})
  if (fields.length > 0 && !('entries' in schema && describedEntries.has(schema.entries))) {
    throw new Error(
      `Describe the object of ${fields.join(', ')} under \`schemas\` in the file of its operation in openapi/operations.`,
    )
  }
  return {
    ...rest,
    ...(fields.length > 0 && { properties }),
    ...(required && required.length > 0 && { required }),
    ...(schema.type === 'loose_object' && { additionalProperties: true }),
  }
}

/**
 * A schema as JSON Schema 2020-12, with references to the named schemas. Throws for an object whose
 * fields have no descriptions.
 */
export const jsonSchemaOf = (schema: v.GenericSchema): JsonSchema =>
  withoutRoot(toJsonSchema(schema, { ...config, definitions }))

const inline = (schema: v.GenericSchema): JsonSchema => withoutRoot(toJsonSchema(schema, config))

const withoutRoot = ({ $schema, $defs, ...schema }: JsonSchema): JsonSchema => schema

/** Every named schema as JSON Schema, with its prose. Throws for a field without a description. */
export function namedSchemas(): Record<string, JsonSchema> {
  const schemas = toJsonSchemaDefs(definitions, config)
  return Object.fromEntries(
    Object.entries(schemaDocumentation).map(([name, { description, fields = {} }]) => {
      const { properties, ...rest } = schemas[name] as JsonSchema
      const described = Object.entries(properties ?? {}).map(([field, schema]) => {
        if (!fields[field]) throw new Error(`Describe the field ${field} of the schema ${name}.`)
        return [field, { description: fields[field], ...(schema as object) }]
      })
      return [
        name,
        { description, ...rest, ...(properties && { properties: Object.fromEntries(described) }) },
      ]
    }),
  )
}

import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { routes } from '../../functions/operations.ts'
import type { SchemaDocumentation } from '../../lib/contract/documentation.ts'
import type { Documented, DocumentedList } from '../../lib/contract/fields/rules.ts'
import { type Feature, isLeftByNull, type Route } from '../../lib/contract/route.ts'
import { limitNames } from '../../lib/domain/limit/limit.ts'
import { chainNames } from '../../lib/domain/nft/chain.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { gatewayMessage } from '../components/problem-details.ts'
import { schemaDocumentation } from '../components/schemas.ts'
import { mark, markOfValues, needOfLimit, needOfProblem, withNeed } from '../needs.ts'
import { problemCodes } from '../problems/problems.ts'

const definitions = Object.fromEntries(
  Object.entries(schemaDocumentation).map(([name, { schema }]) => [name, schema]),
)

type Entries = Readonly<Record<string, v.GenericSchema>>

/** The fields of the schema of an object. */
const entriesOf = (schema: v.GenericSchema): Entries | undefined =>
  'entries' in schema ? (schema.entries as Entries) : undefined

/** Objects whose fields are described: by name in the document, or by the OpenAPI specification. */
const describedEntries = new Set<unknown>(
  [...Object.values(definitions), routes.getOpenapi.answer]
    .map(entriesOf)
    .filter((entries) => entries !== undefined),
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
    if (canGrow(schema)) return openEnumeration(schema.options)
    if (isAnyLimit(schema)) return { ...jsonSchema, ...markOfValues(limitNames, needOfLimit) }
    if (schema.type === 'literal') return literalSchema(jsonSchema)
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

/** The operations by the fields of their bodies. */
const routesOfBodies = new Map<unknown, Route>(
  Object.values<Route>(routes).flatMap((route) =>
    route.body ? [[route.body.entries, route]] : [],
  ),
)

const isRequestBody = (schema: v.GenericSchema): boolean => routesOfBodies.has(entriesOf(schema))

/** Whether a body is a form, in which an absent field is not sent. */
const isForm = (schema: v.GenericSchema): boolean =>
  routesOfBodies.get(entriesOf(schema))?.oauth === true

/** Whether later versions can add fields (D33); not in responses of API Gateway, which clients tell from problems. */
const isOpen = (schema: v.GenericSchema): boolean =>
  !isRequestBody(schema) && entriesOf(schema) !== gatewayMessage.entries

const pointer = (name: string) => `#/components/schemas/${name}`

/** The enumerations to which later versions, or the settings of a deployment, add values. */
const growing: ReadonlySet<unknown> = new Set([...chainNames, ...problemCodes])

const canGrow = (schema: v.GenericSchema): schema is v.PicklistSchema<string[], undefined> =>
  schema.type === 'picklist' &&
  'options' in schema &&
  (schema.options as string[]).every((option) => growing.has(option))

/** A text whose known values are listed, so that generated clients also accept values to come. */
const openEnumeration = (values: string[]): JsonSchema =>
  ({
    type: 'string',
    'x-extensible-enum': values,
    ...(values.length === problemCodes.length &&
      markOfValues(values as ProblemCode[], needOfProblem)),
  }) as JsonSchema

/** One value. Of a boolean, only the prose says it: openapi-generator makes a wrong enumeration of it. */
function literalSchema({ const: value, ...rest }: JsonSchema): JsonSchema {
  if (typeof value === 'boolean') return { type: 'boolean', ...rest }
  return { type: typeof value as 'string', ...rest, const: value as string }
}

const isAnyLimit = (schema: v.GenericSchema) => 'options' in schema && schema.options === limitNames

const isAnyChain = (schema: v.GenericSchema) => 'options' in schema && schema.options === chainNames

function objectSchema(schema: v.GenericSchema, jsonSchema: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = jsonSchema
  const fields = Object.keys(properties ?? {})
  if (fields.length > 0 && !describedEntries.has(entriesOf(schema))) {
    throw new Error(
      `Describe the object of ${fields.join(', ')} under \`schemas\` in the documentation of its operation.`,
    )
  }
  return {
    ...rest,
    ...(fields.length > 0 && { properties }),
    ...(required && required.length > 0 && { required }),
    // The clients of some generators refuse a field that the document does not announce in this way.
    ...(isOpen(schema) && { additionalProperties: true }),
  }
}

/**
 * A schema as JSON Schema 2020-12, with references to named ones. Throws for an object whose fields have no
 * descriptions.
 */
export const jsonSchemaOf = (schema: v.GenericSchema): JsonSchema =>
  withoutRoot(toJsonSchema(schema, { ...config, definitions }))

const inline = (schema: v.GenericSchema): JsonSchema => withoutRoot(toJsonSchema(schema, config))

const withoutRoot = ({ $schema, $defs, ...schema }: JsonSchema): JsonSchema => schema

/** Every named schema as JSON Schema, without its prose. */
export const definedSchemas = (): Record<string, JsonSchema> =>
  toJsonSchemaDefs(definitions, config)

/** Every named schema as JSON Schema, with its prose. Throws for a field without a description. */
export function namedSchemas(): Record<string, JsonSchema> {
  const schemas = definedSchemas()
  return Object.fromEntries(
    Object.entries(schemaDocumentation).map(([name, documentation]) => {
      const { schema, description, fields = {} } = documentation
      const { properties, ...rest } = schemas[name] as JsonSchema
      const described = Object.entries(properties ?? {}).map(([field, fieldSchema]) => {
        if (!fields[field]) throw new Error(`Describe the field ${field} of the schema ${name}.`)
        const need = needOfField(documentation, field)
        const prose = {
          description: withNeed(fields[field], need),
          ...(fieldSchema as JsonSchema),
          ...mark(need),
        }
        const isOptional = !rest.required?.includes(field)
        if (!isOptional || !isRequestBody(schema) || isForm(schema)) return [field, prose]
        return [field, withAbsence(prose, entriesOf(schema)?.[field])]
      })
      return [
        name,
        { description, ...rest, ...(properties && { properties: Object.fromEntries(described) }) },
      ]
    }),
  )
}

/** What a deployment must have to have a field of an object. */
export const needOfField = ({ needs = {} }: SchemaDocumentation, field: string) =>
  (Object.keys(needs) as Feature[]).find((need) => needs[need]?.includes(field))

/** A field of a request body that can be absent, with the values that say so, or the one that removes it (D4, D126). */
function withAbsence(prose: JsonSchema, entry: v.GenericSchema | undefined): JsonSchema {
  if (entry && isLeftByNull(entry)) return nullable(prose, '`null` means')
  if (entry?.type === 'exact_optional') {
    return { ...prose, description: `${prose.description} \`null\` removes it.` }
  }
  return nullable(prose, '`null` or `""` means')
}

function nullable({ description, type, ...rest }: JsonSchema, meaning: string): JsonSchema {
  const prose = `${description} ${meaning} that the field is absent.`
  const values = rest.enum && { enum: [...rest.enum, null] }
  if (typeof type === 'string') {
    return { description: prose, type: [type, 'null'], ...rest, ...values }
  }
  return { description: prose, anyOf: [{ ...rest }, { type: 'null' }] }
}

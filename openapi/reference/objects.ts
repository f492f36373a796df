import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { schemaDocumentation } from '../components/schemas.ts'
import { definedSchemas, jsonSchemaOf, needOfField } from '../generator/json-schema.ts'
import { withNeed } from '../needs.ts'
import { problemCodes } from '../problems/problems.ts'
import { anchorOf, table } from './markdown.ts'

export type Schema = Readonly<Record<string, unknown>>

const schemas = definedSchemas() as Readonly<Record<string, Schema>>

/** The named schema to which a schema refers. */
export const nameOf = ({ $ref }: Schema): string => String($ref).split('/').at(-1) ?? ''

/** The named schemas in a schema, each before those that are in it. */
function namesIn(schema: Schema): string[] {
  const own = '$ref' in schema ? [nameOf(schema)] : []
  const parts = [own.map((name) => schemas[name]), Object.values(schema)].flat()
  const inside = parts.flatMap((part) =>
    typeof part === 'object' && part !== null ? namesIn(part as Schema) : [],
  )
  return [...new Set([...own, ...inside])]
}

const namesOfOperation = (id: OperationId): string[] => {
  const { body, answer }: Route = routes[id]
  return namesIn({ body: body && jsonSchemaOf(body), answer: jsonSchemaOf(answer) })
}

const uses = Map.groupBy(
  operationIds.flatMap((id) => namesOfOperation(id).map((name) => ({ id, name }))),
  ({ name }) => name,
)

/** The named schemas that only this operation has. */
export const ownSchemasOf = (id: OperationId): string[] =>
  namesOfOperation(id).filter((name) => uses.get(name)?.length === 1)

/** The named schemas that several operations have, or that no operation has by itself. */
export const sharedSchemas = (): string[] =>
  Object.keys(schemas).filter((name) => uses.get(name)?.length !== 1)

/** A named schema under a heading: its meaning and its fields, or its values. */
export function objectSection(name: string, level: string): string {
  const { description = '' } = schemaDocumentation[name] ?? {}
  const values = valuesOf(schemas[name] ?? {})
  const content = values ? `Values: ${typeOf(schemas[name] ?? {})}.` : fieldTable(name)
  return [`${level} ${headingOf(name)}`, description, content].join('\n\n')
}

const headingOf = (name: string): string =>
  schemas[name]?.['type'] === 'object' ? `${name} object` : name

/** The fields of a named object. */
export const fieldTable = (name: string, kind = 'field'): string => {
  const { properties = {}, required = [] } = schemas[name] as ObjectSchema
  const documentation = schemaDocumentation[name]
  return inputTable(
    kind,
    Object.entries(properties).map(([field, schema]) => ({
      name: field,
      schema,
      isRequired: required.includes(field),
      meaning: withNeed(
        documentation?.fields?.[field] ?? '',
        documentation && needOfField(documentation, field),
      ),
    })),
  )
}

interface ObjectSchema {
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** A field or parameter. */
interface Input {
  name: string
  schema: Schema
  isRequired: boolean
  meaning: string
}

/** A table of fields or parameters. */
export const inputTable = (kind: string, inputs: readonly Input[]): string =>
  table(
    [kind, 'type', 'meaning'],
    inputs.map(({ name, schema, isRequired, meaning }) => [
      `\`${name}\``,
      `${typeOf(schema)}${isRequired ? '' : '; optional'}`,
      meaning,
    ]),
  )

const valuesOf = (schema: Schema): readonly string[] | undefined =>
  (schema['x-extensible-enum'] ?? schema['enum']) as string[] | undefined

/** The type of a JSON Schema in words, with its bounds. A form that the prose describes is left to the prose. */
export function typeOf(schema: Schema): string {
  if ('$ref' in schema) return linkTo(nameOf(schema))
  if ('const' in schema) return `\`${schema['const']}\``
  if (schema['anyOf'] || valuesOf(schema)) return either.format(choicesOf(schema))
  if (schema['type'] === 'null') return '`null`'
  if (schema['type'] !== 'array') return `${formOf(schema)}${boundsOf(schema)}`
  const { maxItems, items } = schema as { maxItems?: number; items: Schema }
  const many = items['type'] === 'string' ? `${formOf(items)}s` : typeOf(items)
  return `array of ${many}${maxItems ? `, 1 to ${inWords(maxItems)}` : ''}`
}

function choicesOf(schema: Schema): string[] {
  if (schema['anyOf']) return (schema['anyOf'] as Schema[]).flatMap(choicesOf)
  const values = valuesOf(schema)
  if (!values) return [typeOf(schema)]
  const isCode = values.length === problemCodes.length
  return isCode ? ['one of the [codes](#problems)'] : values.map((value) => `\`${value}\``)
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const linkTo = (name: string): string => `[${name}](#${anchorOf(headingOf(name))})`

/** The form of a text, or the type. */
function formOf({ type, format, pattern = '' }: Schema): string {
  if (type !== 'string') return String(type)
  if (String(pattern).includes('{40}')) return 'address'
  return { uuid: 'UUID', date: 'date', 'date-time': 'time' }[String(format)] ?? 'string'
}

function boundsOf({ minLength, maxLength, minimum, maximum, ...schema }: Schema): string {
  if (formOf(schema) === 'string' && maxLength)
    return `, ${minLength} to ${inWords(maxLength)} characters`
  const isBounded = minimum !== undefined && Number(maximum) < maxCount
  return isBounded ? `, ${inWords(minimum)} to ${inWords(maximum)}` : ''
}

/** The bound of a count in an answer, which says only how a client can read it. */
const maxCount = 2 ** 31 - 1

const inWords = (number: unknown): string => Number(number).toLocaleString('en')

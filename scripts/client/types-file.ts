import { schemaDocumentation } from '../../openapi/components/schemas.ts'
import { type ClientOperation, clientOperations, schemas } from './client-operations.ts'
import {
  comment,
  type Field,
  nameOf,
  objectText,
  type Schema,
  type TypeOf,
  typeText,
} from './type-text.ts'

/** The text of clients/typescript/src/types.ts: the types of answers, problems and parameters. */
export function typesFile(): string {
  const objects = new Map<string, string>()
  const typeOf: TypeOf = (name) => {
    const schema = schemas[name] ?? {}
    if (schema.type !== 'object') return typeText(schema, typeOf)
    if (!objects.has(name)) {
      // Its place before the objects of its fields, and the end of a circle.
      objects.set(name, '')
      objects.set(name, objectType(name, schema, typeOf))
    }
    return name
  }
  const problem = Object.values(schemas['Problem']?.properties ?? {})
  const answers = clientOperations.map(({ answer }) => answer)
  for (const schema of [...answers, ...problem]) typeText(schema, typeOf)
  const params = clientOperations.flatMap((operation) => paramsType(operation, typeOf))
  return `${[imports, operationIds(), ...objects.values(), ...params].join('\n\n')}\n`
}

const imports = `// \`npm run generate\` writes this file from the operations.
import type { TokenElement } from './token-elements.ts'`

const operationIds = (): string =>
  [
    '/** The name of an operation: its `operationId`, and its method. */',
    'export type OperationId =',
    ...clientOperations.map(({ id }) => `  | '${id}'`),
  ].join('\n')

function objectType(name: string, schema: Schema, typeOf: TypeOf): string {
  const { description = '', properties = {}, required = [] } = schema
  const kept = Object.entries(properties).filter(
    ([field, value]) => !losesDigits(value) && field !== metadataText.name,
  )
  const fields = kept.map(([field, value]) => ({
    name: field,
    description: meaning(value),
    type: typeText(value, typeOf),
    isOptional: !required.includes(field) && field !== 'rawMetadata',
  }))
  if ('rawMetadata' in properties) fields.push(metadataText)
  const type = objectText(fields)
  // Other responses can get fields too, but a type with any field would accept misspelt ones.
  const isOpen = schemaDocumentation[name]?.schema.type === 'loose_object'
  return declaration(name, description, isOpen ? `${type} & { [name: string]: unknown }` : type)
}

/** Whether a value is a number of any size. The client leaves it out: it is beside the number as text. */
const losesDigits = ({ type }: Schema): boolean => type === 'number'

/** What raw metadata always has beside it: the client makes each of the two from the other. */
const metadataText: Field = {
  name: 'rawMetadataText',
  description:
    "The text of `rawMetadata`, byte for byte: `rawMetadata` itself rounds numbers above 2^53. With the parameter `rawMetadata: 'text'`, `rawMetadata` is parsed each time that it is read.",
  type: 'string',
  isOptional: false,
}

const declaration = (name: string, description: string, type: string): string =>
  [...comment(description), `export type ${name} = ${type}`].join('\n')

/** The description of a value, and its format: a date and a UUID are both text. */
function meaning({ description = '', type, format, anyOf = [] }: Schema): string {
  if (type === 'integer') return description
  const [known] = [format, ...anyOf.map((member) => member.format)].filter(Boolean)
  return known ? `${description}\n@format ${known}` : description
}

/** Whether the client changes a value of the service, at any depth. */
export function isConverted({ $ref, items, properties = {} }: Schema): boolean {
  if ($ref) return isConverted(schemas[nameOf($ref)] ?? {})
  if (items) return isConverted(items)
  return Object.entries(properties).some(
    ([name, value]) => name === 'rawMetadata' || losesDigits(value) || isConverted(value),
  )
}

/** The type of the parameters of an operation, if it has any; an operation of another path takes those of the first. */
function paramsType(operation: ClientOperation, typeOf: TypeOf): string[] {
  const { id, row, body } = operation
  const params = paramsOf(operation, typeOf)
  if (id !== row || params.length === 0) return []
  const description = body?.description ?? `What {@link PlayerNfts.${id}} takes.`
  return [declaration(paramsName(operation), description, objectText(params))]
}

/** `getProduct` takes `GetProductParams`. */
export const paramsName = ({ row }: ClientOperation): string =>
  `${row[0]?.toUpperCase()}${row.slice(1)}Params`

/** The parameters of the path and the query, the fields of the body, and the credentials of a user. */
export function paramsOf({ parameters, body, route }: ClientOperation, typeOf: TypeOf): Field[] {
  const { properties = {}, required = [] } = body ?? {}
  const fields = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, schema, required: required.includes(name) },
    description: schema.description ?? '',
  }))
  // The options of a call have what is in headers, and `chainDtos` is another name of `chains`.
  const sent = parameters.filter((each) => each.in !== 'header' && each.name !== 'chainDtos')
  return [
    ...[...sent, ...fields].map(({ name, description, schema, required: isRequired = false }) => {
      const type = name === 'tokens' ? 'readonly TokenElement[]' : typeText(schema, typeOf)
      return param(name, meaning({ ...schema, description }), type, !isRequired)
    }),
    ...(route.player ? [credential('playerToken', 'player token')] : []),
    ...(route.auth === 'USER' ? [credential('userJwt', 'user JWT')] : []),
    ...(route.auth === 'SESSION' ? [credential('session', 'session')] : []),
  ]
}

/** An optional parameter also takes `undefined`. */
const param = (name: string, description: string, type: string, isOptional: boolean): Field => ({
  ...{ name, description, isOptional },
  type: isOptional ? `${type} | undefined` : type,
})

const credential = (name: string, words: string): Field =>
  param(name, `The ${words}, if it is not that of the client.`, 'string', true)

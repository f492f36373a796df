import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { openApi } from '../../openapi/openapi-document.ts'
import { nameOf, type Schema } from './type-text.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required?: boolean
  schema: Schema
  example?: unknown
}

/** The content of a request or a response, by its media type. */
interface Content {
  content: Record<string, { schema: Schema }>
}

interface OperationObject {
  operationId: string
  description: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: Content & { required: boolean }
  responses: { 200: Content }
}

interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> }
}

/** An operation of the OpenAPI document, and the row that it belongs to. */
export interface ClientOperation {
  id: string
  /** The row: an operation of another path has that of the first. */
  row: OperationId
  route: Route
  path: string
  description: string
  parameters: readonly Parameter[]
  body: (Schema & { isRequired: boolean }) | undefined
  /** The schema of `data`, or of a bare document. */
  answer: Schema
}

const document = openApi() as unknown as Document

/** Whether the client reads the answer page by page, as a list. */
export const isList = ({ route }: ClientOperation): boolean => route.form === 'paged'

/** The named schemas of the document. */
export const { schemas } = document.components

/** The operations of the document, in the order of the rows. */
export const clientOperations: readonly ClientOperation[] = Object.entries<Route>(routes).flatMap(
  ([row, route]) => route.paths.map((path) => clientOperation(row as OperationId, route, path)),
)

function clientOperation(row: OperationId, route: Route, path: string): ClientOperation {
  const operation = document.paths[path]?.[route.method.toLowerCase()] as OperationObject
  const { operationId: id, description, parameters = [], requestBody, responses } = operation
  const isRequired = requestBody?.required === true
  const answer = schemaOf(responses[200])
  return {
    ...{ id, row, route, path, description },
    parameters: parameters.map((parameter) =>
      '$ref' in parameter ? at(document.components.parameters, parameter.$ref) : parameter,
    ),
    body: requestBody && { ...named(schemaOf(requestBody)), isRequired },
    answer: route.form === 'bare' ? answer : (named(answer).properties?.['data'] ?? {}),
  }
}

function schemaOf({ content }: Content): Schema {
  const [{ schema } = { schema: {} }] = Object.values(content)
  return schema
}

function named({ $ref = '' }: Schema): Schema {
  return at(schemas, $ref)
}

function at<T>(components: Record<string, T>, reference: string): T {
  return components[nameOf(reference)] as T
}

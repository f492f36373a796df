import { type OperationId, operationIds, operations, routes } from '../functions/operations.ts'
import type { AnyDocumentation, ParameterDocumentation } from '../lib/contract/documentation.ts'
import type { Route } from '../lib/contract/route.ts'

/** The prose and examples of every operation, made once: a schema that two operations share is one object. */
export const operationDocumentation = Object.fromEntries(
  operationIds.map((id) => [id, operations[id].documentation()]),
) as unknown as {
  readonly [Id in OperationId]: ReturnType<(typeof operations)[Id]['documentation']>
}

/** The prose and examples of an operation. */
export const documentationOf = (id: OperationId): AnyDocumentation => operationDocumentation[id]

/** The input that the OpenAPI document shows: the first body, and the required parameters of the query. */
export function documentedInput(id: OperationId): {
  body?: unknown
  query: Record<string, string | readonly string[]>
} {
  const { query }: Route = routes[id]
  const { requests = {}, parameters = {} } = documentationOf(id)
  const [request] = Object.values(requests)
  const required = Object.entries(parameters).filter(
    ([name]) => query?.entries[name]?.type !== 'optional',
  )
  return {
    ...(request && { body: request.value }),
    query: Object.fromEntries(required.map(([name, { example }]) => [name, textsOf(example)])),
  }
}

const textsOf = (example: ParameterDocumentation['example']) =>
  typeof example === 'object' ? example : String(example)

import { type OperationId, operationIds, operations } from '../functions/operations.ts'
import type { AnyDocumentation } from '../lib/contract/documentation/operation-documentation.ts'

/** The prose and examples of every operation, made once: a schema that two operations share is one object. */
export const operationDocumentation = Object.fromEntries(
  operationIds.map((id) => [id, operations[id].documentation()]),
) as unknown as {
  readonly [Id in OperationId]: ReturnType<(typeof operations)[Id]['documentation']>
}

/** The prose and examples of an operation. */
export const documentationOf = (id: OperationId): AnyDocumentation => operationDocumentation[id]

/** The summaries of the operations by their ids, which the build takes from the OpenAPI document. */
declare const OPERATION_NAMES: Readonly<Record<string, string>>

/** What people call an operation. One of a later version of the service is its id. */
export const operationName = (operation: string): string =>
  Object.hasOwn(OPERATION_NAMES, operation) ? (OPERATION_NAMES[operation] as string) : operation

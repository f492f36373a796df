import { operations, signInOperations } from '../../functions/operations.ts'
import type { AnyDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import type { Route } from '../../lib/contract/route.ts'

/** An operation of a deployment that has every setting. */
export interface AnyOperation {
  readonly row: Route
  readonly requests: OperationRequests
  documentation(): AnyDocumentation
}

/** The name of such an operation. */
export type AnyOperationId = keyof typeof operations | keyof typeof signInOperations

/** The operations of a deployment that has every setting. */
export const everyOperation: Readonly<Record<AnyOperationId, AnyOperation>> = {
  ...operations,
  ...signInOperations,
}

/** Their names. */
export const everyOperationId = Object.keys(everyOperation) as AnyOperationId[]

/** Their rows. */
export const everyRoute = Object.fromEntries(
  everyOperationId.map((id) => [id, everyOperation[id].row]),
) as Readonly<Record<AnyOperationId, Route>>

/** The name of an operation of sign-in with wallets. */
export type SignInOperationId = keyof typeof signInOperations

/** The names of the operations of sign-in with wallets. */
export const signInOperationIds = Object.keys(signInOperations) as SignInOperationId[]

/** Whether an operation is one of sign-in with wallets. */
export const isOfSignIn = (id: AnyOperationId): id is SignInOperationId => id in signInOperations

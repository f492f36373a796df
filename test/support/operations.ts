import {
  isIn,
  type OperationId,
  type OperationIdWith,
  operationIds,
  routes,
} from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'

/** The row of an operation, as one that any operation can have. */
export const rowOf = (id: OperationId): Route => routes[id]

/** The name of an operation of sign-in with wallets. */
type SignInOperationId = OperationIdWith<'walletSignIn'>

/** Whether an operation is one of sign-in with wallets. */
export const isOfSignIn = (id: OperationId): id is SignInOperationId =>
  rowOf(id).needs === 'walletSignIn'

/** The names of the operations of sign-in with wallets. */
export const signInOperationIds: readonly SignInOperationId[] = operationIds.filter(isOfSignIn)

/** The names of the operations of a deployment without the settings that some need. */
export const usualOperationIds: readonly OperationId[] = operationIds.filter((id) =>
  isIn(rowOf(id), {}),
)

/** Their rows. */
export const usualRoutes: readonly Route[] = usualOperationIds.map(rowOf)

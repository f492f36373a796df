import {
  type OperationId,
  operations as ofEveryDeployment,
  operationsWithSignIn,
  type SignInOperationId,
} from '../functions/operations.ts'
import type { AnyDocumentation } from '../lib/contract/documentation/operation-documentation.ts'
import { type AnyProblemCode, problems as usualProblems } from '../lib/contract/problems.ts'
import { type Route, problemsOf as usualProblemsOf } from '../lib/contract/route.ts'
import { signInProblems } from '../lib/contract/sign-in-problems.ts'
import {
  signInLimitNames,
  limitNames as usualLimitNames,
  webhookLimitNames,
} from '../lib/domain/limit/limit.ts'

// The API is documented in two editions: that of every deployment, and that of a deployment in which players sign in with
// their wallets (D116). A process makes one of them, because a schema that two operations share is one object.

/** Whether this process documents sign-in with wallets too. */
export const hasSignIn = process.env['API_EDITION'] === 'sign-in'

/** The name of an operation of either edition. */
export type DocumentedId = OperationId | SignInOperationId

interface DocumentedOperation {
  readonly row: Route
  documentation(): AnyDocumentation
}

/** The operations that are documented. */
export const operations = (hasSignIn ? operationsWithSignIn : ofEveryDeployment) as Readonly<
  Record<DocumentedId, DocumentedOperation>
>

/** Their names, in the order of the document. */
export const operationIds = Object.keys(operations) as DocumentedId[]

/** Their rows. */
export const routes = Object.fromEntries(
  operationIds.map((id) => [id, operations[id].row]),
) as Readonly<Record<DocumentedId, Route>>

/** The problems that are documented, by their codes. */
export const problems: Readonly<Record<AnyProblemCode, { status: number; title: string }>> = {
  ...usualProblems,
  ...(hasSignIn ? signInProblems : ({} as typeof signInProblems)),
}

/** Every problem of a route. */
export const problemsOf = (route: Route): AnyProblemCode[] => [
  ...(route.auth === 'SESSION' ? (['missing_session', 'invalid_session'] as const) : []),
  // A form is not JSON.
  ...usualProblemsOf(route).filter((code) => !route.oauth || code !== 'invalid_json'),
  ...(route.signInProblems ?? []),
]

/** The limits that problems name. */
export const limitNames = [
  ...usualLimitNames,
  ...webhookLimitNames,
  ...(hasSignIn ? signInLimitNames : []),
] as [string, ...string[]]

import type * as v from 'valibot'
import type { Feature, Fields, Route } from '../route.ts'
import type { SchemaDocumentation } from './schema-documentation.ts'

/** The groups of operations. */
export type Tag = 'Product' | 'Allowlist' | 'Webhooks' | 'Player' | 'Sign-in' | 'Keys' | 'Document'

/** Examples by name, each with a one-line summary, and what a deployment must have for it. */
export type Examples<Value> = Readonly<
  Record<string, { summary: string; value: Value; needs?: Feature }>
>

/** The meaning of a query parameter, and a value that the service accepts. */
export interface ParameterDocumentation {
  description: string
  example: string | number | readonly string[]
}

/** A request that fails with `invalid_request`, and what is wrong with its fields, by their paths. */
export interface InvalidRequestDocumentation {
  summary: string
  sent: { body: unknown } | { query: string }
  faults: Readonly<Record<string, string>>
}

type BodyAnswer<R extends Route> = R extends { form: 'bare' }
  ? v.InferInput<R['answer']>
  : { data: v.InferInput<R['answer']> } & (R extends { form: 'paged' }
      ? { nextCursor?: string }
      : unknown)

type OtherPaths<R extends Route> = R['paths'] extends readonly [string, ...infer Others]
  ? Others[number] & string
  : never

/** The prose and examples of one operation: exactly what its row calls for. */
export type OperationDocumentation<R extends Route> = {
  tag: Tag
  summary: string
  description: string
  /** Response bodies, without the `success` of the envelope. */
  answers: Examples<BodyAnswer<R>>
  /** The schemas of its request and response bodies, by their names in the document. */
  schemas?: Readonly<Record<string, SchemaDocumentation>>
} & (R extends { body: infer Body extends Fields }
  ? { requests: Examples<v.InferInput<Body>> }
  : unknown) &
  (R extends { pathParameters: readonly (infer Name extends string)[] }
    ? { pathParameters: { [Parameter in Name]: ParameterDocumentation } }
    : unknown) &
  (R extends { query: infer Query extends Fields }
    ? { parameters: { [Name in keyof Query['entries']]: ParameterDocumentation } }
    : unknown) &
  (R extends { body: Fields } | { query: Fields } | { player: true }
    ? { invalidRequest: InvalidRequestDocumentation }
    : unknown) &
  ([OtherPaths<R>] extends [never]
    ? unknown
    : { otherPaths: { [Path in OtherPaths<R>]: { operationId: string; summary: string } } })

/** The documentation of any operation. */
export interface AnyDocumentation {
  tag: Tag
  summary: string
  description: string
  answers: Examples<unknown>
  schemas?: Readonly<Record<string, SchemaDocumentation>>
  requests?: Examples<unknown>
  pathParameters?: Record<string, ParameterDocumentation>
  parameters?: Record<string, ParameterDocumentation>
  invalidRequest?: InvalidRequestDocumentation
  otherPaths?: Record<string, { operationId: string; summary: string }>
}

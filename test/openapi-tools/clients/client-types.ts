// Compares the types of the client, for each operation, with those that openapi-typescript makes of the document. It
// compiles only if they are the same.
import type { ApiCall, ExhaustedLimit, FieldError, List, PlayerNfts } from './client/index.ts'
import type { components, operations } from './schema.ts'

type Id = keyof operations
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Form<T> = T extends { content: { 'application/x-www-form-urlencoded': infer Body } }
  ? Body
  : never
type Nothing = Record<never, never>
/** A part of a request, if the operation has it. */
type Part<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>

/** What the document says: parameters of the path and the query, the fields of the body, and the data. */
type DescribedParams<O extends operations[Id]> = Part<O['parameters']['path']> &
  Part<O['parameters']['query']> &
  (O extends { requestBody?: infer Request }
    ? Part<Json<NonNullable<Request>> | Form<NonNullable<Request>>>
    : Nothing)
type DescribedData<O extends operations[Id]> =
  Json<O['responses'][200]> extends { data: infer Data } ? Data : Json<O['responses'][200]>

/** The same of a method of the client, whose first parameter is optional if none of its fields is required. */
type Params<I extends Id> =
  Parameters<PlayerNfts[I]> extends [options?: infer Only]
    ? 'signal' extends keyof NonNullable<Only>
      ? Nothing
      : Only
    : NonNullable<Parameters<PlayerNfts[I]>[0]>
type Data<I extends Id> =
  ReturnType<PlayerNfts[I]> extends List<infer Entry>
    ? Entry[]
    : ReturnType<PlayerNfts[I]> extends ApiCall<infer Result>
      ? Result
      : never

/** What the client adds to the document, leaves out, or always has. */
type Own = 'amount' | 'chainDtos' | 'playerToken' | Raw | 'session' | 'userJwt'
type Raw = 'rawMetadata' | 'rawMetadataText'

/** The type without what is the client's own, at any depth; optional fields without `undefined`. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { [K in keyof T as K extends Own ? never : K]: Plain<Exclude<T[K], undefined>> }
    : T extends bigint
      ? never
      : T

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? 'same'
    : { client: A; document: B }

export const params: { [I in Id]: 'same' } = {} as {
  [I in Id]: Same<Plain<Params<I>>, Plain<DescribedParams<operations[I]>>>
}
export const data: { [I in Exclude<Id, 'getOpenapi'>]: 'same' } = {} as {
  [I in Id]: Same<Plain<Data<I>>, Plain<DescribedData<operations[I]>>>
}
export const errors: 'same' = {} as Same<
  Plain<{ errors: FieldError[]; limit: ExhaustedLimit }>,
  Plain<Required<Pick<components['schemas']['Problem'], 'errors' | 'limit'>>>
>
/** The client does not describe the fields of the OpenAPI document. */
export const document: Record<string, unknown> = {} as Data<'getOpenapi'>

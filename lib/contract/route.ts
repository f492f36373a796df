import type * as v from 'valibot'
import type { LimitName } from '../domain/limit/limit.ts'
import type { Chain } from '../domain/nft/chain.ts'
import type { ProblemCode } from '../domain/problems.ts'

/** The credential of a caller (specification 5). An API key must have the scope MANAGE, unless READ is enough (D46). */
type Credential =
  | { readonly auth: 'PRODUCT'; readonly scope?: 'READ' }
  | { readonly auth: 'NONE' | 'USER'; readonly scope?: undefined }
  | {
      /** The session of a user who is signed in on the page of the deployment (D100). */
      readonly auth: 'SESSION'
      readonly isSessionOptional?: true
      readonly scope?: undefined
    }

export type Auth = Credential['auth']

/** An object schema, with or without rules across its fields. */
export type Fields = v.GenericSchema & { readonly entries: Record<string, v.GenericSchema> }

/** Whether a field of a change is one that `null` leaves as it is (D126), and not one that it removes. */
export const isLeftByNull = (schema: v.GenericSchema): boolean =>
  schema.type === 'exact_optional' &&
  'wrapped' in schema &&
  (schema.wrapped as v.GenericSchema).type !== 'nullable'

/** The chains that a deployment opens for allowlisting (D56). */
export type OpenChains = readonly [Chain, ...Chain[]]

/** Fields that depend on the chains that a deployment opens; by themselves, those with the default chains (D56). */
export type OpenChainFields = Fields & { withOpenChains(openChains: OpenChains): Fields }

/** What only some deployments have: the name of its setting. */
export type Feature = 'walletSignIn' | 'webhooks'

/** The beginning of every path of the API. */
export const base = '/api/public/v1'

/** The description of one operation: its row. */
export type Route = Credential & {
  /** The name of the operation: its operationId in OpenAPI, and in kebab-case the name of its folder and of its function. */
  readonly id: string
  /** The section of the specification, or the decision, that defines it. */
  readonly section: string
  /** What a deployment must have in its settings to have the operation; absent: nothing. */
  readonly needs?: Feature
  /** Whether a running game needs the operation, so that an update can move its traffic in steps (D148); absent: at once. */
  readonly shifted?: true
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly paths: readonly [string, ...string[]]
  /** Whether the parameter `productId` can take the place of the API key, for a product with client access (D51). */
  readonly clientAccess?: true
  /** Whether the operation takes a player token, as query parameter or header (specification 5; D23). */
  readonly player?: true
  /** The parameters of the path, such as `{keyId}`: any text. The paths of the route have the same parameters. */
  readonly pathParameters?: readonly string[]
  readonly body?: Fields | OpenChainFields
  /** Whether an empty body is the same as `{}` (D46). */
  readonly isBodyOptional?: true
  readonly query?: Fields | OpenChainFields
  /** The schema of a success: `data` of the envelope, or the whole body of a bare document. */
  readonly answer: v.GenericSchema
  /** `paged`: the envelope may carry `nextCursor`. `bare`: no envelope at all. */
  readonly form?: 'paged' | 'bare'
  /** Whether the operation is one of OAuth 2.0 (RFC 6749): a form, a bare answer, and problems with `error`. */
  readonly oauth?: true
  /** Whether the envelope has `asOf`, and Cache-Control of the request says which age is accepted (D156). */
  readonly hasAge?: true
  /**
   * What a second request leaves, where the method does not say it: a GET changes nothing, and after another method a
   * second request leaves what one request leaves. `repeatable`: the same of a GET that makes something. `once`: a
   * second request makes a second product or key, so no client sends it again by itself.
   */
  readonly effect?: 'repeatable' | 'once'
  /** The time for which the response may be cached, in seconds; absent: not at all (D5). */
  readonly maxAgeSeconds?: number
  readonly limits?: readonly LimitName[]
  /** Whether a limit of the operation depends on the source address of the request (D47). */
  readonly bySourceAddress?: true
  /** Whether the operation depends on the web page that sends the request, if one does (D131). */
  readonly bySendingPage?: true
  /** The problems of the operation, beside the problems that its other columns imply; absent: `service_unavailable`. */
  readonly problems?: readonly ProblemCode[]
}

/** Whether the requests of a route are about a player: it takes a player token, a user JWT or a session. */
export const isOfPlayer = ({ auth, player }: Route): boolean =>
  player === true || auth === 'USER' || auth === 'SESSION'

/** Whether a route takes an API key that must have the scope MANAGE (D46). */
export const needsManage = ({ auth, scope }: Route): boolean =>
  auth === 'PRODUCT' && scope !== 'READ'

/** Every problem of a route, in the order of the checks (D3). */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = []
  if (route.auth === 'PRODUCT') codes.push('missing_api_key', 'invalid_api_key')
  if (route.auth === 'USER') codes.push('missing_user_token', 'invalid_user_token')
  if (route.auth === 'SESSION') codes.push('missing_session', 'invalid_session')
  if (route.player) codes.push('invalid_player_token', 'player_token_expired')
  if (route.auth === 'PRODUCT') codes.push('product_stopped')
  if (needsManage(route)) codes.push('insufficient_scope')
  if (route.limits) codes.push('rate_limited')
  if (route.body) codes.push('unsupported_media_type', 'payload_too_large')
  // A form is not JSON.
  if (route.body && !route.oauth) codes.push('invalid_json')
  if (route.body || route.query || route.player) codes.push('invalid_request')
  const { problems = ['service_unavailable'] } = route
  return [...codes, ...problems, 'internal_error']
}

/** The name of the function of an operation: `getProduct` is get-product. */
export const functionName = (id: string): string =>
  id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The actions of DynamoDB that the service uses. */
export const dynamoDbActions = [
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'UpdateItem',
] as const

/** The names of the requests to DynamoDB, KMS, SQS, Secrets Manager and the indexer. */
export const requestNames = [
  ...dynamoDbActions,
  'GetPublicKey',
  'Sign',
  'SendMessage',
  'GetSecretValue',
  'alchemy_getTokenBalances',
  'getNFTMetadataBatch',
  'getNFTsForContract',
  'getNFTsForOwner',
] as const

export type RequestName = (typeof requestNames)[number]

export type Requests = Readonly<Partial<Record<RequestName, number>>>

/**
 * What an operation asks of AWS and of the indexer with its first example, without limits, beside what follows from its
 * row.
 */
export interface OperationRequests {
  readonly each: Requests
  /** The additional requests of the first call of a container. */
  readonly first?: Requests
  /** The request units of DynamoDB for each call, if they are more than one for each request. */
  readonly units?: { readonly read?: number; readonly write?: number }
  /** Whether the call records a change of its product, before and after the change (D49). */
  readonly recordsChange?: true
}

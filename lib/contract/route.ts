import type * as v from 'valibot'
import type { Chain } from '../domain/chain.ts'
import type { ProblemCode } from './problems.ts'

/** How a caller proves who it is (specification 5). */
export type Auth = 'NONE' | 'PRODUCT' | 'USER'

/** An object schema, perhaps with rules across its fields. */
export type Fields = v.GenericSchema & { readonly entries: Record<string, v.GenericSchema> }

/** The chains that a deployment opens for allowlisting (D11). */
export type OpenChains = readonly [Chain, ...Chain[]]

/**
 * Fields that depend on the chains that a deployment opens; by themselves, the fields of a deployment
 * with the default chains (D11).
 */
export type OpenChainFields = Fields & { withOpenChains(openChains: OpenChains): Fields }

/** Everything there is to know about one operation: one row of the route table. */
export interface Route {
  /** The section of the specification, or the decision, that defines it. */
  readonly section: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path, and any others that answer alike. */
  readonly paths: readonly [string, ...string[]]
  readonly auth: Auth
  /** Whether it takes a player token, as query parameter or header (specification 5; D23). */
  readonly player?: true
  readonly body?: Fields | OpenChainFields
  readonly query?: Fields
  /** What a success holds: `data` of the envelope, or the whole body of a bare document. */
  readonly answer: v.GenericSchema
  /** `paged`: the envelope may carry `nextCursor`. `bare`: no envelope at all. */
  readonly form?: 'paged' | 'bare'
  /** For how many seconds anyone may keep the answer; none: not at all (D5). */
  readonly maxAgeSeconds?: number
  /** The problems it may answer beside those that its other columns imply. */
  readonly problems: readonly ProblemCode[]
}

/** Every problem a route may answer, in the order of judgement (D3). */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = []
  if (route.auth === 'PRODUCT') codes.push('missing_api_key', 'invalid_api_key')
  if (route.auth === 'USER') codes.push('missing_user_token', 'invalid_user_token')
  if (route.player) codes.push('invalid_player_token', 'player_token_expired')
  if (route.body) codes.push('unsupported_media_type', 'payload_too_large', 'invalid_json')
  if (route.body || route.query || route.player) codes.push('invalid_request')
  return [...codes, ...route.problems, 'internal_error']
}

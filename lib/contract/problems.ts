import type { ShownLimit } from '../domain/limit/limit.ts'
import type { SignInProblemCode } from './sign-in-problems.ts'

/**
 * Every problem of the API: its code, status and title (D3). Programs depend on the codes, so a code is
 * never renamed.
 */
export const problems = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  invalid_request: { status: 400, title: 'The request has invalid fields' },
  cursor_expired: { status: 400, title: 'The cursor has expired' },
  missing_api_key: { status: 401, title: 'The API key is missing' },
  invalid_api_key: { status: 401, title: 'The API key is not valid' },
  missing_user_token: { status: 401, title: 'The user JWT is missing' },
  invalid_user_token: { status: 401, title: 'The user JWT is not valid' },
  invalid_player_token: { status: 401, title: 'The player token is not valid' },
  player_token_expired: { status: 401, title: 'The player token has expired' },
  product_stopped: { status: 403, title: 'The product is stopped' },
  insufficient_scope: { status: 403, title: 'The API key does not permit this operation' },
  contract_not_connected: { status: 404, title: 'The contract is not connected' },
  key_not_found: { status: 404, title: 'The API key does not exist' },
  webhook_not_found: { status: 404, title: 'The webhook does not exist' },
  key_ended: { status: 409, title: 'The API key has ended' },
  last_key: { status: 409, title: 'The last API key cannot end' },
  too_many_keys: { status: 409, title: 'The product has too many API keys' },
  too_many_webhook_contracts: { status: 409, title: 'The events of too many contracts are wanted' },
  too_many_webhooks: { status: 409, title: 'The product has too many webhooks' },
  webhook_not_verified: { status: 409, title: 'The URL of the webhook is not verified' },
  too_many_ranges: { status: 409, title: 'The allowlist has too many ranges' },
  too_many_nfts: { status: 409, title: 'The ranges cover too many NFTs' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is compressed, or not declared as JSON' },
  rate_limited: { status: 429, title: 'A limit is exhausted' },
  internal_error: { status: 500, title: 'The service has failed' },
  indexer_unavailable: { status: 503, title: 'The NFT indexer is unavailable' },
  service_unavailable: { status: 503, title: 'The service is unavailable' },
} as const

/** A stable code that programs switch on (D2). */
export type ProblemCode = keyof typeof problems

/** The code of any problem: also of those that only some deployments have. */
export type AnyProblemCode = ProblemCode | SignInProblemCode

/** One bad field of a request (D2). */
export interface FieldError {
  in: 'body' | 'query' | 'header'
  /** The field's name; within lists and objects the path, joined by dots: `tokens.3`. */
  path: string
  message: string
}

/** RFC 9457 problem details, with the envelope's flag (D2). */
export interface ProblemDetails {
  success: false
  /** The description of the problem: a pointer into the OpenAPI document. */
  type: string
  title: string
  status: number
  detail: string
  code: AnyProblemCode
  requestId: string
  errors?: FieldError[]
  /** The exhausted limit (D47). */
  limit?: ShownLimit
}

/** The problem type URI: a reference to its description in the OpenAPI document (RFC 9457 section 3.1.1). */
export const problemType = (code: AnyProblemCode): string =>
  `/api/public/v1/openapi.json#/components/responses/${code}`

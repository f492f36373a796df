import type { ExhaustedLimit, FieldError } from './types.ts'

/** What every error of the client knows. */
export interface Failure {
  code: string
  detail: string
  operation: string
  status?: number | undefined
  requestId?: string | undefined
  /** The error of `fetch`, or the reason of the signal. */
  cause?: unknown
}

/** The base of all errors of the client. */
export class PlayerNftsError extends Error {
  override readonly name: string = 'PlayerNftsError'
  /**
   * The code for programs: that of the service (`invalid_request`, `rate_limited`, …), or one of the
   * client: `connection_failed`, `timeout`, `aborted`, `gateway_error`, `unexpected_answer`.
   */
  readonly code: string
  /** A sentence for a person. It never contains a credential. */
  readonly detail: string
  /** The method of the client that failed, such as `getProduct`. */
  readonly operation: string
  /** The HTTP status. `undefined` if there was no response. */
  readonly status: number | undefined
  /** Identifies the request in the log of the service: quote it in reports. */
  readonly requestId: string | undefined
  /** How many requests were sent. */
  attempts = 1
  /**
   * Whether the operation changes something, and a request was sent whose response did not arrive or does
   * not tell the result. The change can then have been made. Always false for operations that only read.
   */
  mayHaveTakenEffect = false

  constructor({ code, detail, operation, status, requestId, cause }: Failure) {
    const facts = status === undefined ? code : `${status} ${code}`
    const request = requestId === undefined ? '' : ` (request ${requestId})`
    super(`${operation}: ${facts}: ${detail}${request}`, cause === undefined ? {} : { cause })
    this.code = code
    this.detail = detail
    this.operation = operation
    this.status = status
    this.requestId = requestId
  }
}

/** The response of the service is not a success. */
export class ApiError extends PlayerNftsError {
  override readonly name: string = 'ApiError'
  declare readonly status: number
  /** The headers of the response. */
  readonly headers: Headers
  /** The body of the response, as text. */
  readonly body: string
  /** The wait that the service asks for, in seconds. `undefined` if it asks for none. */
  readonly retryAfterSeconds: number | undefined
  /** Every invalid field (`invalid_request`); empty for other codes. */
  readonly errors: readonly FieldError[]
  /** The exhausted limit (`rate_limited`). */
  readonly limit: ExhaustedLimit | undefined

  constructor(failure: Failure & { status: number }, response: FailedResponse) {
    super(failure)
    this.headers = response.headers
    this.body = response.body
    this.retryAfterSeconds = response.retryAfterSeconds
    this.errors = response.errors
    this.limit = response.limit
  }
}

/** What an {@link ApiError} knows of its response. */
export interface FailedResponse {
  headers: Headers
  body: string
  retryAfterSeconds: number | undefined
  errors: readonly FieldError[]
  limit: ExhaustedLimit | undefined
}

/** 400: the request has invalid fields, which `errors` lists, or its cursor has expired. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'
}

/** 401: a credential is missing, invalid or expired. `code` names it. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
}

/** 403: the API key does not permit the operation, or the product is stopped. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404: the contract or the key does not exist, or `baseUrl` is not that of the service. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: the state of the product does not allow the change. Nothing has changed. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 429: a limit is exhausted, or API Gateway protects the service. Nothing has changed. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
}

/** 502, 503 and 504: the service or its NFT indexer is unavailable. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError'
}

/** 500, and other statuses from 505 on: a defect of the service. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** There was no response, for example because the network or the address is wrong. */
export class ConnectionError extends PlayerNftsError {
  override readonly name = 'ConnectionError'
}

/** There was no complete response within `timeoutMs`. */
export class TimeoutError extends PlayerNftsError {
  override readonly name = 'TimeoutError'
}

/** The `signal` of the call was aborted. `cause` is the reason of the signal. */
export class AbortedError extends PlayerNftsError {
  override readonly name = 'AbortedError'
}

const classes = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
}

/** Returns the error of the class that belongs to the status. */
export function apiError(failure: Failure & { status: number }, response: FailedResponse) {
  const other = failure.status >= 500 ? ServerError : ApiError
  const Class: typeof ApiError = classes[failure.status as keyof typeof classes] ?? other
  return new Class(failure, response)
}

import type { Json } from './json-text.ts'

/** An error response: the HTTP status and the message. */
export class ApiError extends Error {
  readonly status: number
  /** The error code, for JSON-RPC. */
  readonly code: number | undefined
  constructor(status: number, message: string, code?: number) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** An HTTP response: a status and JSON. */
export interface ApiResponse {
  status: number
  body: Json
}

import type { Json } from './json-text.ts'

/** A call that is refused: the HTTP status and what the error says. */
export class ApiError extends Error {
  readonly status: number
  /** The JSON-RPC error code, for calls of that kind. */
  readonly code: number | undefined
  constructor(status: number, message: string, code?: number) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** An HTTP answer: JSON under a status. */
export interface ApiResponse {
  status: number
  body: Json
}

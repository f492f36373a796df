import {
  detailOfErrors,
  type FieldError,
  maxErrors,
  type ProblemDetails,
  problemType,
} from '../contract/problem-details.ts'
import { RefusedCredential } from '../domain/credential-failures.ts'
import { Failure, InvalidInput, RateLimited, Unavailable } from '../domain/failures.ts'
import type { ShownLimit } from '../domain/limit/limit.ts'
import { type ProblemCode, problems } from '../domain/problems.ts'

interface ProblemOptions {
  errors?: FieldError[]
  limit?: ShownLimit
  headers?: Record<string, string>
  /** The cause, for the log only. */
  reason?: string
}

/** A failed request as one of the problems of D3. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly errors: FieldError[] | undefined
  readonly limit: ShownLimit | undefined
  readonly headers: Record<string, string>
  readonly reason: string | undefined

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail)
    this.code = code
    this.errors = options.errors
    this.limit = options.limit
    this.headers = { ...challenge(code), ...options.headers }
    this.reason = options.reason
  }

  get status(): number {
    return problems[this.code].status
  }

  /** The body of the response (RFC 9457; D2). */
  details(requestId: string): ProblemDetails {
    return {
      success: false,
      type: problemType(this.code),
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      requestId,
      ...(this.errors && { errors: this.errors }),
      ...(this.limit && { limit: this.limit }),
    }
  }
}

/** 400 `invalid_request`, with the bad fields, of which it lists at most 100 (D2, D35). */
export function invalidRequest(errors: readonly FieldError[]): Problem {
  return new Problem('invalid_request', detailOfErrors(errors), {
    errors: errors.slice(0, maxErrors),
  })
}

/** The problem that a thrown value means for the caller: that of its code, or 500 for a defect. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InvalidInput) {
    return invalidRequest([{ ...error.field, message: error.message }])
  }
  if (error instanceof Unavailable) {
    return new Problem(error.code, error.message, {
      headers: retryAfter(error),
      reason: error.reason,
    })
  }
  if (error instanceof RefusedCredential) {
    const { code, message, reason } = error
    return new Problem(code, message, { reason })
  }
  if (error instanceof RateLimited) {
    const { code, message, limit } = error
    return new Problem(code, message, { headers: retryAfter(error), limit })
  }
  if (error instanceof Failure) return new Problem(error.code, error.message)
  return new Problem('internal_error', 'Something went wrong on our side; it has been recorded.')
}

const retryAfter = ({ retryAfterSeconds }: { retryAfterSeconds: number }) => ({
  'retry-after': String(retryAfterSeconds),
})

/** The header that tells the caller of a 401 how to authenticate (RFC 9110 section 11.6.1, RFC 6750 section 3; D3). */
function challenge(code: ProblemCode): Record<string, string> {
  const problem = problems[code]
  return 'challenge' in problem ? { 'www-authenticate': problem.challenge } : {}
}

import type { ShownLimit } from '../domain/limit/limit.ts'
import type { ProblemCode } from '../domain/problems.ts'

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
  code: ProblemCode
  requestId: string
  errors?: FieldError[]
  limit?: ShownLimit
}

/** The problem type URI: a reference to its description in the OpenAPI document (RFC 9457 section 3.1.1). */
export const problemType = (code: ProblemCode): string =>
  `/api/public/v1/openapi.json#/components/responses/${code}`

/** The maximum number of invalid fields that a response lists (D35). */
export const maxErrors = 100

/** The `detail` of a request with these bad fields (D2, D35). */
export function detailOfErrors(errors: readonly FieldError[]): string {
  const [first] = errors
  return first
    ? `${first.path || `The ${first.in}`} ${first.message}.${others(errors.length)}`
    : 'The request has invalid fields.'
}

function others(count: number): string {
  if (count === 1) return ''
  const omitted = count - maxErrors
  const rest = `; the first ${maxErrors} are listed, the other ${omitted} are not`
  return ` There are ${count} such fields${omitted > 0 ? rest : ''}.`
}

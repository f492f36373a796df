import type { FieldError } from '../../lib/contract/problems.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'

/** The meaning of a problem, and how a caller reacts to it. */
export interface ProblemDocumentation {
  description: string
  /** The `detail` of its example. */
  detail: string
  /** The `errors` of its example. */
  errors?: readonly FieldError[]
  /** The `limit` of its example. */
  limit?: ShownLimit
}

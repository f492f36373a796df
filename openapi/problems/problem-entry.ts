import type { FieldError } from '../../lib/contract/problem-details.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'

/** What has happened, and what to do about it. */
type Sentences = readonly [title: string, advice: string]

/** Everything about a problem of the API, under its code (D3). Programs depend on the codes, so a code is never renamed. */
export interface ProblemEntry {
  readonly status: number
  /** The meaning of the code, without a full stop. */
  readonly title: string
  /** The value of the header WWW-Authenticate (RFC 9110, section 11.6.1; RFC 6750, section 3). */
  readonly challenge?: string
  /** The error of OAuth 2.0 that it is (RFC 6749, section 5.2; RFC 8628, section 3.5). Absent: that of its status. */
  readonly oauthError?: string
  /** The meaning of the problem, and how a caller reacts to it. */
  readonly description: string
  /** The `detail` of its example. */
  readonly detail: string
  /** The `errors` of its example. */
  readonly errors?: readonly FieldError[]
  /** The `limit` of its example. */
  readonly limit?: ShownLimit
  /** What the dashboard says to a studio. Absent: what it says of the status. */
  readonly dashboard?: Sentences
  /** What the page on which players sign in says to a player. Absent: that the service cannot do this at the moment. */
  readonly connect?: Sentences
}

import { type ProblemCode, problems } from '../domain/problems.ts'

/** The error of OAuth 2.0 that a problem is (RFC 6749, sections 4.1.2.1 and 5.2). */
export function oauthErrorOf(code: ProblemCode): string {
  const problem = problems[code]
  if ('oauthError' in problem) return problem.oauthError
  const { status } = problem
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** What the problem `unsupported_media_type` says of an operation that takes a form. */
export const formExpected = {
  title: 'The body is compressed, or not declared as a form',
  detail: 'Send the body as a form, with Content-Type: application/x-www-form-urlencoded.',
} as const

/** The ways in which a game can ask for a player token (RFC 6749, section 6; RFC 8628, section 3.4). */
export const grantTypes = ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const

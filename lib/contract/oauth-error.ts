/** The problems that are errors of OAuth themselves (RFC 6749, section 5.2; RFC 8628, section 3.5). */
const oauthErrors: readonly string[] = [
  'access_denied',
  'authorization_pending',
  'expired_token',
  'invalid_client',
  'invalid_grant',
  'slow_down',
  'unsupported_grant_type',
]

/** The error of a problem (RFC 6749, sections 4.1.2.1 and 5.2). */
export function oauthErrorOf({ code, status }: { code: string; status: number }): string {
  if (oauthErrors.includes(code)) return code
  if (code === 'client_authentication_failed') return 'invalid_client'
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** What the problem `unsupported_media_type` says of an operation that takes a form. */
export const formExpected = {
  title: 'The body is compressed, or not declared as a form',
  detail: 'Send the body as a form, with Content-Type: application/x-www-form-urlencoded.',
} as const

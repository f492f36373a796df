/** Response headers by their names, in lower case. */
export type SecurityHeaders = Readonly<Record<string, string>>

const commonHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The pictures of the sample world come from other ports of the same machine. */
const localPictures = 'http://127.0.0.1:*'

/**
 * The headers of all files of the dashboard (D62): it runs its own scripts only, calls its own origin only, and no
 * page can frame it. On a developer's machine, pictures may also come from that machine without TLS.
 */
export const appSecurityHeaders = ({ isLocal }: { isLocal: boolean }): SecurityHeaders => ({
  ...commonHeaders,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: https:${isLocal ? ` ${localPictures}` : ''}`,
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
})

/** The headers of the API reference, in which Swagger UI needs inline styles and `data:` pictures. */
export const referenceSecurityHeaders = (): SecurityHeaders => ({
  ...commonHeaders,
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
})

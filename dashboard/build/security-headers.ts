/** Response headers by their names. */
export type SecurityHeaders = Readonly<Record<string, string>>

/**
 * The headers of the dashboard's pages and files (D62). Scripts and styles come from the dashboard's own files only, and
 * requests go to its own origin. Pictures of NFTs can be on any host with HTTPS: the dashboard decides which of them it
 * loads. `localPictures` also permits pictures of 127.0.0.1 over HTTP, which the sample world has.
 */
export const appSecurityHeaders = ({ localPictures = false } = {}): SecurityHeaders =>
  headersWith([
    "style-src 'self'",
    `img-src 'self' data: https:${localPictures ? ' http://127.0.0.1:*' : ''}`,
    "require-trusted-types-for 'script'",
  ])

/** The headers of the API reference. Swagger UI needs inline styles and pictures in data URLs, and sends requests. */
export const referenceSecurityHeaders = (): SecurityHeaders =>
  headersWith(["style-src 'self' 'unsafe-inline'", "img-src 'self' data:"])

const headersWith = (directives: readonly string[]): SecurityHeaders => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...directives,
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

export type SecurityHeaders = Readonly<Record<string, string>>

/**
 * The headers of the dashboard's pages and files (D62), and of the site of the docs. Scripts and styles come from their own
 * files only, and requests go to their own origin. Pictures of NFTs can be on any host with HTTPS: the dashboard decides
 * which of them it loads. `localPictures` also permits pictures of 127.0.0.1 over HTTP, which the sample world has.
 */
export const appSecurityHeaders = ({ localPictures = false } = {}): SecurityHeaders => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "style-src 'self'",
    `img-src 'self' data: https:${localPictures ? ' http://127.0.0.1:*' : ''}`,
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

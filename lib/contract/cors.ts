/** The CORS rules: every operation from any origin, without cookies (D6, D61). */
export const cors = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
  allowHeaders: ['Content-Type', 'X-Api-Key', 'Authorization', 'X-Player-Token', 'Cache-Control'],
  exposeHeaders: ['Retry-After', 'WWW-Authenticate', 'Apigw-Requestid'],
  /** The time for which a browser may cache the response to a preflight. */
  maxAgeSeconds: 7200,
} as const

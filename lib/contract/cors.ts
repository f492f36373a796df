/** What browsers may do: every operation from any origin, without cookies (D6). */
export const cors = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'DELETE'],
  allowHeaders: ['Content-Type', 'X-Api-Key', 'Authorization', 'X-Player-Token'],
  exposeHeaders: ['Retry-After', 'WWW-Authenticate'],
  /** How long a browser may remember the answer to a preflight. */
  maxAgeSeconds: 7200,
} as const

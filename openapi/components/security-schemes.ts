/** The credentials of callers (specification 5). */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The product API key that registration has shown; upper and lower case are alike.',
  },
  UserJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The JWT with which the platform has signed the user in.',
  },
} as const

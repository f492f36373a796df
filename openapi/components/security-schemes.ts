/** The credentials of callers (specification 5). */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'The product API key that registration returned. Upper and lower case are equivalent.',
  },
  UserJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The JWT that the platform issued at sign-in.',
  },
} as const

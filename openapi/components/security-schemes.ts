/** The credentials of callers (specification 5; D23). */
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
  PlayerToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Player-Token',
    description:
      'The player token, in a header. Prefer the header to the parameter: it keeps the token out of URLs.',
  },
  PlayerTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'playerToken',
    description:
      'The player token, as a query parameter. If the header is sent too, both must have the same value.',
  },
} as const

/** The headers of responses (D3, D5). */
export const headers = {
  NoStore: {
    description: 'The response must not be cached.',
    schema: { const: 'no-store' },
  },
  Public: {
    description: 'Any cache may store the response for 5 minutes.',
    schema: { const: 'public, max-age=300' },
  },
  'Retry-After': {
    description: 'The time until a retry, in seconds. Absent in responses of API Gateway itself.',
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description:
      '`ApiKey` for the API key, `Bearer` for a missing user JWT, `Bearer error="invalid_token"` for a token that is not accepted.',
    schema: { enum: ['ApiKey', 'Bearer', 'Bearer error="invalid_token"'] },
    example: 'ApiKey',
  },
}

/** The headers of responses (D3, D5). */
export const headers = {
  NoStore: {
    description: 'The answer may not be kept.',
    schema: { const: 'no-store' },
  },
  Public: {
    description: 'Anyone may keep the answer for 5 minutes.',
    schema: { const: 'public, max-age=300' },
  },
  'Retry-After': {
    description: 'When to try again, in seconds. Absent when API Gateway answers by itself.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description:
      '`ApiKey` for the API key, `Bearer` when the user JWT is missing, the other for a token that is not accepted.',
    schema: { enum: ['ApiKey', 'Bearer', 'Bearer error="invalid_token"'] },
    example: 'ApiKey',
  },
}

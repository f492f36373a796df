/** The fault of a request without a player token (D23). */
export const missingPlayerToken = {
  in: 'query',
  path: 'playerToken',
  message:
    'is required: send the player token in the header X-Player-Token or in the parameter playerToken',
} as const

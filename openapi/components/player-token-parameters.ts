import { example } from '../examples.ts'

/** The two places of a player token (D23). */
export const playerTokenParameters = {
  playerToken: {
    name: 'playerToken',
    in: 'query',
    description: 'The player token. Required, unless `X-Player-Token` carries it.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
  'X-Player-Token': {
    name: 'X-Player-Token',
    in: 'header',
    description:
      'The player token, kept out of the URL. Required, unless `playerToken` carries it.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
}

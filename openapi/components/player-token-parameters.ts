import { example } from '../examples.ts'

/** The two places of a player token (D23). */
export const playerTokenParameters = {
  playerToken: {
    name: 'playerToken',
    in: 'query',
    description: 'The player token. Required unless the header `X-Player-Token` is sent.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
  'X-Player-Token': {
    name: 'X-Player-Token',
    in: 'header',
    description:
      'The player token, outside of the URL. Required unless the parameter `playerToken` is sent.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
}

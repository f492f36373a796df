import { playerToken } from '../../lib/contract/answers.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.11 */
export const createPlayerToken: OperationDocumentation<'createPlayerToken'> = {
  tag: 'Player',
  summary: 'Create player token',
  description:
    'Mints a player token for the signed-in user. The token is valid for 24 hours. The platform passes it to the game, which sends it with every request about the player. A new token does not invalidate older tokens.\n\nThe service records the username and wallets of the user JWT, and games read the recorded values. A user JWT that was issued before the recorded one mints a token but does not change the record.\n\nThe token is a JWT: ES256, header `typ: player+jwt`, claims `iss`, `aud`, `sub` (the user id), `iat`, `exp`, `jti`. Game servers may verify it themselves with the key set; they must check `typ` and `aud`, since user JWTs are verified with keys of the same set.',
  answers: {
    minted: { summary: 'A new token', value: { data: { token: example.playerToken } } },
  },
  schemas: {
    PlayerToken: describedObject(playerToken, 'A player token.', {
      token: 'A JWT that identifies the player inside games for 24 hours.',
    }),
  },
}

import { playerDetails } from '../../lib/contract/answers.ts'
import { missingPlayerToken } from '../components/missing-player-token.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.12 */
export const getPlayerDetails: OperationDocumentation<'getPlayerDetails'> = {
  tag: 'Player',
  summary: 'Obtain player details',
  description:
    "Exchanges a player token for the player's user id, user name and balance of the service's token: the exact sum over all wallets. No other credentials are needed.\n\n`/player/details` and `/player/balance` return the same response.",
  otherPaths: {
    '/api/public/v1/player/balance': {
      operationId: 'getPlayerBalance',
      summary: 'Obtain player details (other path)',
    },
  },
  answers: {
    player: { summary: 'A player', value: { data: { ...example.player, amount: 1204.75 } } },
  },
  invalidRequest: {
    summary: 'No player token',
    sent: { query: '' },
    detail: `playerToken ${missingPlayerToken.message}.`,
    errors: [missingPlayerToken],
  },
  schemas: {
    PlayerDetails: describedObject(playerDetails, 'Who a player is, and what the player has.', {
      userId: 'User id.',
      username: 'User name.',
      amount:
        "Balance of the service's token over all wallets of the player: a plain decimal with all its digits, which may be more than a double holds.",
    }),
  },
}

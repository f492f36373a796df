import { playerDetails } from '../../lib/contract/answers.ts'
import { missingPlayerToken } from '../components/missing-player-token.ts'
import { answerAge } from '../components/player-nfts.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

const balance = {
  amountText: '1204.75',
  token: {
    chain: 'POLYGON',
    address: '0x9ff18439cd59a08afe730f85f1192fb9b9ca4594',
    decimals: 18,
    symbol: 'WICK',
  },
  amount: 1204.75,
}

/** 4.12 */
export const getPlayerDetails: OperationDocumentation<'getPlayerDetails'> = {
  tag: 'Player',
  summary: 'Obtain player details',
  description: `Exchanges a player token for the player's user id, user name and balance of the service's token: the exact sum over all wallets. No other credentials are needed.\n\n\`/player/details\` and \`/player/balance\` return the same response.\n\n${answerAge}`,
  otherPaths: {
    '/api/public/v1/player/balance': {
      operationId: 'getPlayerBalance',
      summary: 'Obtain player details (other path)',
    },
  },
  answers: {
    player: { summary: 'A player', value: { data: { ...example.player, ...balance } } },
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
      amountText: 'The same balance as text, for parsers that read numbers as doubles.',
      token: "The service's token.",
      amount:
        "Balance of the service's token over all wallets of the player: a plain decimal with all its digits, which may be more than a double holds.",
    }),
    ServiceToken: describedObject(
      playerDetails.entries.token,
      'The ERC-20 token whose balance the service shows.',
      {
        chain: 'Chain name. Chains can be added to those of `Chain`.',
        address: 'Contract address, in lower case.',
        decimals: 'The number of decimal places of a whole token.',
        symbol: 'The symbol of the token. Absent if the deployment does not name it.',
      },
    ),
  },
}

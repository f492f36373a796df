import * as v from 'valibot'
import { address, decimals, shownText, shownWholeNumber } from '../../lib/contract/answers.ts'
import { answerAge, missingPlayerToken } from '../../lib/contract/documentation/player-nfts.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getPlayerDetails',
  section: '4.12',
  method: 'GET',
  paths: [`${base}/player/details`, `${base}/player/balance`],
  auth: 'NONE',
  player: true,
  limits: ['player_details'],
  shifted: true,
  /** 4.12: `amount` is a JSON number with all its digits, `amountText` the same as text (D29, D36). */
  answer: v.object({
    userId: shownWholeNumber,
    username: shownText,
    amountText: v.pipe(shownText, v.regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)),
    token: v.object({ chain: shownText, address, decimals, symbol: v.optional(shownText) }),
    amount: v.pipe(v.number(), v.metadata({ format: 'double' })),
  }),
  hasAge: true,
  problems: ['indexer_unavailable', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, alchemy_getTokenBalances: 3 },
  first: { GetSecretValue: 1 },
}

export const documentation = (): Documentation<typeof row> => {
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

  return {
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
      player: { summary: 'A player', value: { ...example.player, ...balance } },
    },
    invalidRequest: {
      summary: 'No player token',
      sent: { query: '' },
      faults: missingPlayerToken,
    },
    schemas: {
      PlayerDetails: describedObject(row.answer, 'Who a player is, and what the player has.', {
        userId: 'User id.',
        username: 'User name.',
        amountText: 'The same balance as text, for parsers that read numbers as doubles.',
        token: "The service's token.",
        amount:
          "Balance of the service's token over all wallets of the player: a plain decimal with all its digits, which may be more than a double holds.",
      }),
      ServiceToken: describedObject(
        row.answer.entries.token,
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
}

import type { Limit } from '../../domain/limit/limit.ts'
import type { PlayerTokenCounts } from '../../domain/ports/players.ts'
import { spendExactly } from './exact-limits.ts'
import { playerKey } from './keys/player-partition.ts'
import type { Table } from './table.ts'

/** The player tokens of users in the table, in the item of the player. Without a limit, nothing is counted. */
export const dynamoPlayerTokenCounts = (
  table: Table,
  limit: Limit | undefined,
): PlayerTokenCounts => ({
  count: (userId) =>
    spendExactly(
      table,
      playerKey(userId),
      { spent: limit ? [limit] : [] },
      // As in the item of a user who signs in with a JWT.
      { condition: ['userId', '=', userId], attributeOf: () => 'playerTokens' },
    ),
})

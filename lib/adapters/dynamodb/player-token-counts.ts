import { ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import type { LimitState } from '../../domain/limit/limits.ts'
import type { PlayerTokenCounts } from '../../domain/ports/players.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import { countingPlayerToken } from './players.ts'
import { playerKey, type Table } from './table.ts'

/** The maximum number of attempts to count a player token while other requests count theirs. */
const attempts = 8

/** The player tokens of users in the table, in the item of the player. Without a limit, nothing is counted. */
export const dynamoPlayerTokenCounts = (
  { client, name: TableName }: Table,
  limit: Limit | undefined,
): PlayerTokenCounts => ({
  async count(userId) {
    if (!limit) return
    const Key = playerKey(userId)
    let state: LimitState
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { conditions, ...changes } = countingPlayerToken(limit, state)
      const update = fieldUpdate({
        ...changes,
        conditions: [...conditions, ['userId', '=', userId]],
      })
      const command = new UpdateCommand({ TableName, Key, ...update })
      if (await unlessConditionFails(client.send(command))) return
      const read = new GetCommand({ TableName, Key, ConsistentRead: true })
      const { Item: { playerTokens } = {} } = await client.send(read)
      state = typeof playerTokens === 'number' ? playerTokens : undefined
    }
    throw new ServiceUnavailable('a player token was counted over and over')
  },
})

import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { dynamoForgottenPlayers } from '../lib/adapters/dynamodb/forgotten-players.ts'
import {
  namingTable,
  openOperatorTable,
  runForOperator,
  tableHelp,
  userIdArgument,
} from './operator-table.ts'

const usage = 'Usage: npm run --silent forget-player -- --user-id ID [--table NAME]'

helpIfAsked([
  usage,
  '',
  'Deletes everything about a player. Player tokens and user JWTs from before are refused,',
  'also after the player has signed in again. It can be repeated.',
  '',
  '  --user-id  the user id of the player, a whole number',
  '',
  ...tableHelp,
])

/** `npm run forget-player` (D48). */
await runForOperator(async () => {
  const { values } = parseArgs({
    options: { 'user-id': { type: 'string' }, table: { type: 'string' } },
  })
  const userId = userIdArgument(values['user-id'], usage)
  const { table, place } = await openOperatorTable(values.table, process.env)
  const wasStored = await dynamoForgottenPlayers(table).forget(userId).catch(namingTable(place))
  return wasStored
    ? `The player ${userId} in ${place} is forgotten.`
    : `No player ${userId} was stored in ${place}. Earlier player tokens of this id are refused.`
})

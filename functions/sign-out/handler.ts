import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signOut } from '../../lib/domain/sign-in/sign-out.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D111: ends all sessions, refresh tokens and player tokens of the user (D102, D103). */
export const handler = handlerOf(
  row,
  { ...sessionPorts(table), families: dynamoRefreshFamilies(table) },
  async ({ session: { userId } }, ports) => {
    await signOut(userId, Date.now(), ports)
    return { data: { message: 'You are signed out everywhere.' } }
  },
)

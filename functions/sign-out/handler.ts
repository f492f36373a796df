import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signOut as leave, type SignOutPorts } from '../../lib/domain/sign-in/sign-out.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/session-ports.ts'
import { row } from './operation.ts'

/** D111: ends all sessions, refresh tokens and player tokens of the user (D102, D103). */
export const signOut = operation(row, async ({ session: { userId } }, ports: SignOutPorts) => {
  await leave(userId, Date.now(), ports)
  return { data: { message: 'You are signed out everywhere.' } }
})

const table = openTable()

export const handler = lambda(signOut, {
  ...sessionPorts(table),
  families: dynamoRefreshFamilies(table),
})

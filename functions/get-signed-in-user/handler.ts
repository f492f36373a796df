import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/sign-in-entries.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D111: the user of a session, and the user's wallets. */
export const handler = handlerOf(
  row,
  sessionPorts(openTable()),
  async ({ session: { userId } }, { walletLists }) => ({
    data: signedInUserEntry(userId, await walletLists.get(userId)),
  }),
)

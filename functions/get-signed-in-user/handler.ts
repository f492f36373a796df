import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/signed-in-user.ts'
import type { WalletLists } from '../../lib/domain/ports/sign-in.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sessionPorts } from '../composition/session-ports.ts'
import { row } from './operation.ts'

/** D111: the user of a session, and the user's wallets. */
export const getSignedInUser = operation(
  row,
  async ({ session: { userId } }, { walletLists }: { walletLists: Pick<WalletLists, 'get'> }) => ({
    data: signedInUserEntry(userId, await walletLists.get(userId)),
  }),
)

export const handler = lambda(getSignedInUser, sessionPorts(openTable()))

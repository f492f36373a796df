import { dynamoForgottenPlayers } from '../../lib/adapters/dynamodb/forgotten-players.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/sign-in-entries.ts'
import { addWallet } from '../../lib/domain/sign-in/add-wallet.ts'
import { RefusedProof } from '../../lib/domain/sign-in/failures.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { pagePorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D111, D144: adds a wallet that proves itself to the user of a session, or moves it there, with the consent of another one. */
export const handler = handlerOf(
  row,
  { ...pagePorts(table), forgottenPlayers: dynamoForgottenPlayers(table) },
  async ({ session: { userId }, body, sourceAddress: network, sendingPage }, ports) => {
    const arrival = { now: Date.now(), network, sendingPage }
    const refusal = await addWallet(userId, body, ports.expectation, arrival, ports)
    if (refusal) throw new RefusedProof(refusal, ports)
    return { data: signedInUserEntry(userId, await ports.walletLists.get(userId)) }
  },
)

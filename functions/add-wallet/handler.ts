import { dynamoForgottenPlayers } from '../../lib/adapters/dynamodb/forgotten-players.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/signed-in-user.ts'
import { type AddWalletPorts, addWallet as add } from '../../lib/domain/sign-in/add-wallet.ts'
import { refusalOf } from '../../lib/domain/sign-in/failures.ts'
import type { Expectation } from '../../lib/domain/sign-in/proof.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { pagePorts } from '../composition/page-ports.ts'
import { row } from './operation.ts'

/** D111, D144: adds a wallet that proves itself to the user of a session, or moves it there, with the consent of another one. */
export const addWallet = operation(
  row,
  async (
    { session: { userId }, body, sourceAddress: network, sendingPage },
    ports: AddWalletPorts & { expectation: Omit<Expectation, 'purposes'> },
  ) => {
    const arrival = { now: Date.now(), network, sendingPage }
    const refusal = await add(userId, body, ports.expectation, arrival, ports)
    if (refusal) throw refusalOf(refusal)
    return { data: signedInUserEntry(userId, await ports.walletLists.get(userId)) }
  },
)

const table = openTable()

export const handler = lambda(addWallet, {
  ...pagePorts(table),
  forgottenPlayers: dynamoForgottenPlayers(table),
})

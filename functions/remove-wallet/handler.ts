import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/signed-in-user.ts'
import { parseAddress } from '../../lib/domain/nft/address.ts'
import { refusalOf } from '../../lib/domain/sign-in/failures.ts'
import type { Expectation, ProofPorts } from '../../lib/domain/sign-in/proof.ts'
import { removeWalletWithProof } from '../../lib/domain/sign-in/remove-wallet.ts'
import type { RemovalPorts } from '../../lib/domain/sign-in/sign-out.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { pagePorts } from '../composition/page-ports.ts'
import { row } from './operation.ts'

interface Ports extends Omit<ProofPorts, 'walletOwners'>, RemovalPorts {
  expectation: Omit<Expectation, 'purposes'>
}

/** D111: removes a wallet of the user of a session, with a proof of it or of an older one (D109). */
export const removeWallet = operation(
  row,
  async (
    { session: { userId }, path, body, sourceAddress: network, sendingPage },
    ports: Ports,
  ) => {
    const { address } = parseAddress(path.address)
    if (!address) throw refusalOf('no_such_wallet')
    const arrival = { now: Date.now(), network, sendingPage }
    const refusal = await removeWalletWithProof(
      ...([userId, address, body, ports.expectation, arrival, ports] as const),
    )
    if (refusal) throw refusalOf(refusal)
    return { data: signedInUserEntry(userId, await ports.walletLists.get(userId)) }
  },
)

export const handler = lambda(removeWallet, pagePorts(openTable()))

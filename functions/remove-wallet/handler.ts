import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { signedInUserEntry } from '../../lib/contract/sign-in-entries.ts'
import { parseAddress } from '../../lib/domain/nft/address.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import { walletAt } from '../../lib/domain/nft/wallet.ts'
import { RefusedProof } from '../../lib/domain/sign-in/failures.ts'
import { removeWalletWithProof } from '../../lib/domain/sign-in/sign-out.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { pagePorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D111: removes a wallet of the user of a session, with a proof of it or of an older one (D109). */
export const handler = handlerOf(
  row,
  pagePorts(openTable()),
  async ({ session: { userId }, path, query, body, sourceAddress, sendingPage }, ports) => {
    const { address } = parseAddress(path.address)
    if (!address) throw new RefusedProof('no_such_wallet', ports)
    const wallet = walletAt(address, query.chain && chains[query.chain].chainId)
    const arrival = { now: Date.now(), network: sourceAddress, sendingPage }
    const refusal = await removeWalletWithProof(
      ...([userId, wallet, body, ports.expectation, arrival, ports] as const),
    )
    if (refusal) throw new RefusedProof(refusal, ports)
    return { data: signedInUserEntry(userId, await ports.walletLists.get(userId)) }
  },
)

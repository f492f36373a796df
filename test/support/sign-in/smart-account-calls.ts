import type { Account } from '@player-nfts/local/samples/sample-account'
import { chains } from '../../../lib/domain/nft/chain.ts'
import type { WithTable } from '../aws/stored-items.ts'
import type { Service } from '../services/service.ts'
import { newAddress } from '../services/service.ts'
import type { EvmNode, NodeChain } from '../smart-accounts/evm-node.ts'
import type { Owned } from '../smart-accounts/signers.ts'
import { signInCalls } from './sign-in-calls.ts'

/** Who signs: the smart account of a chain, or, where `counts` is null, an address with its own key. */
export interface Signer extends Account {
  /** The chain that the messages name. */
  chain: NodeChain
  /** The chain of the wallet, as users see it. */
  counts: NodeChain | null
}

/** An address with its own key. */
export const ownKey = (account: Account): Signer => ({
  ...account,
  ...{ chain: 'POLYGON', counts: null },
})

/** Deploys accounts to the chains of a node. The same deployer deploys to the same address of each chain. */
export const deployerOf =
  (node: EvmNode) =>
  async (chain: NodeChain, { creation, sign }: Owned, deployer = newAddress()): Promise<Signer> => {
    const address = await node.on(chain).deploy(creation, deployer)
    return {
      ...{ address, chain, counts: chain },
      sign: (text) => sign(text, address, chains[chain].chainId),
    }
  }

/** What names the wallet of a signer in the request for a message. */
export const named = (kind: 'consent' | 'remove', { address, counts }: Signer) => ({
  [kind]: address,
  ...(counts && { [`${kind}Chain`]: counts }),
})

/** The calls with which smart accounts and keys sign in. */
export function smartAccountCalls(service: WithTable & Pick<Service, 'call'>) {
  const { call } = service
  const { sign, signIn, ...others } = signInCalls(service)

  const signBy = (signer: Signer, request: object = {}, session?: string) =>
    sign(signer, { chain: signer.chain, ...request }, session)

  return {
    ...{ ...others, signIn, signBy },
    /** Signs in on the page. Returns the session and the user. */
    enter: async (signer: Signer, more: object = {}) =>
      (await signIn({ ...(await signBy(signer)), ...more })).json.data,
    userOf: async (session: string) => (await call('GET /login/user', { session })).json.data,
    add: (session: string, body: object) => call('POST /login/user/wallets', { body, session }),
    remove: (session: string, { address, counts }: Signer, body: object) =>
      call('DELETE /login/user/wallets/{address}', {
        ...{ path: { address }, body, session },
        ...(counts && { query: { chain: counts } }),
      }),
  }
}

import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { OpenChains } from '../../lib/contract/route.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { ProductAccess } from '../../lib/domain/ports/product-keys.ts'
import type { RefreshFamilies, RefreshTokens } from '../../lib/domain/ports/refresh-families.ts'
import { InvalidClient, RefusedProof } from '../../lib/domain/sign-in/failures.ts'
import { productWithSignIn } from '../../lib/domain/sign-in/product-sign-in.ts'
import type { ProofPorts } from '../../lib/domain/sign-in/proof.ts'
import { beginFamily } from '../../lib/domain/sign-in/refresh-families.ts'
import { signIn as enter } from '../../lib/domain/sign-in/sign-in.ts'
import type { WalletUserPorts } from '../../lib/domain/sign-in/wallet-users.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { sourceAddresses } from '../../lib/http/source-address.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { edgeSettings } from '../../lib/settings/resources.ts'
import { accessPorts, signInDeployment, walletPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

interface Ports extends Omit<ProofPorts, 'walletOwners'>, WalletUserPorts {
  openChains: OpenChains
  productAccess: Pick<ProductAccess, 'get'>
  families: RefreshFamilies
  refreshTokens: RefreshTokens
}

/** D110: signs a player in to a game, with the wallet that has signed a message, for 30 days. */
export const signIn = operation(
  row,
  async ({ body: { productId, username, ...proof }, sourceAddress: network }, ports: Ports) => {
    requestSubject.note({ productId })
    const stored = productWithSignIn(await ports.productAccess.get(productId))
    if (!stored) throw new InvalidClient()
    const expectation = {
      purposes: [{ kind: 'product', productId }],
      domains: stored.product.signInDomains ?? [],
      chainIds: ports.openChains.map((chain) => chains[chain].chainId),
    } as const
    const now = Date.now()
    const signedIn = await enter(proof, expectation, { now, network, username }, ports)
    if (signedIn.fault) throw new RefusedProof(signedIn.fault)
    const familyId = ports.refreshTokens.newFamilyId()
    const first = await beginFamily({ ...signedIn, familyId, productId }, now, ports.families)
    const { userId } = signedIn
    const { username: name = '' } = await ports.walletLists.get(userId)
    const refreshToken = await ports.refreshTokens.write(first)
    return { data: { refreshToken, user: { userId, username: name } } }
  },
)

const table = openTable()

export const handler = lambda(signIn, {
  ...accessPorts(table, signInDeployment()),
  ...walletPorts(table, signInDeployment()),
  ...allowlistSettings(),
  sourceAddressOf: sourceAddresses(edgeSettings().secrets),
})

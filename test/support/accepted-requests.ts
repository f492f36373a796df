import type { OperationId, Routes } from '../../lib/contract/routes.ts'
import { routes } from '../../lib/contract/routes.ts'
import { samples } from '../../local/samples/samples.ts'
import type { Sent } from './requests/client.ts'
import { registration, type Service } from './services/service.ts'

const { gear } = samples.collections
const contract = { contractAddress: gear.address, chain: gear.chain }

/** What `call` takes to name an operation. */
export const callName = (id: OperationId, path: string = routes[id].paths[0]): string =>
  `${routes[id].method} ${path.replace('/api/public/v1', '')}`

/**
 * A request that the operation accepts, made ready by a product and a player of its own: the sample
 * equipment is allowlisted, and lies in the player's wallet.
 */
export async function acceptedRequest(service: Service, id: OperationId): Promise<Sent> {
  const { auth, player }: Routes[OperationId] & { player?: true } = routes[id]
  return {
    ...(auth === 'PRODUCT' && { apiKey: await productWithGear(service) }),
    ...(auth === 'USER' && { userJwt: await service.userJwt() }),
    ...(player && { playerToken: (await service.newPlayer(holders)).playerToken }),
    ...inputs[id],
  }
}

const holders = samples.players.threeWallets.wallets

const allowlisting = {
  ...contract,
  contractDescription: 'Equipment that the sample players carry.',
  tokens: gear.tokenIds,
}

async function productWithGear(service: Service): Promise<string> {
  const apiKey = await service.newProduct()
  await service.call('POST /product/tokens', { apiKey, body: allowlisting })
  return apiKey
}

const inputs: Partial<Record<OperationId, Sent>> = {
  registerProduct: { body: registration() },
  allowlistNfts: { body: allowlisting },
  unbindContract: { query: contract },
  unbindNfts: { query: { ...contract, tokens: ['1', '2'] } },
  refreshMetadata: { body: { smartContract: gear.address } },
}

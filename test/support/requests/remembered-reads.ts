import { ownedBy } from '../../../local/indexer/holdings.ts'
import { numbers } from '../../../local/samples/samples.ts'
import { tableOf } from '../aws/table.ts'
import type { CountedService } from '../services/counted-service.ts'
import { newAddress } from '../services/service.ts'
import type { Received } from './client.ts'
import { invokeFunction } from './invoke-function.ts'
import { productWith, type ToAllowlist } from './reading.ts'

/** The requests of a remembered read of one wallet and one contract, in a container that has answered the same read before. */
export const remembered = { Query: 1, BatchGetItem: 2 }

/** A player with NFTs of one contract, which is connected to a product. */
export interface Holder {
  contract: ToAllowlist
  wallet: string
  apiKey: string
  playerToken: string
}

export const tokenIdsOf = ({ json }: Pick<Received, 'json'>): string[] =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

/** What tests of remembered reads have in common, on one service. */
export const rememberedReads = (service: CountedService) => ({
  /** A product, and a player with the NFTs 1 to `count` of a contract, of which `allowed` are on the allowlist. */
  async holder(count = 10, allowed = numbers(1, count)): Promise<Holder> {
    const contract = { chain: 'POLYGON', address: newAddress(), tokenIds: allowed }
    const wallet = newAddress()
    const collection = { network: 'polygon-mainnet', address: contract.address } as const
    ownedBy(service.world, collection, wallet, numbers(1, count))
    const apiKey = await productWith(service, contract)
    const { playerToken } = await service.newPlayer([wallet])
    return { contract, wallet, apiKey, playerToken }
  },

  /** The read of 4.8 by new containers with these settings. */
  reader(variables: Record<string, string> = { REMEMBER_SECONDS: '3600' }) {
    const host = service.newContainers(variables)
    return async (
      { apiKey, playerToken }: Pick<Holder, 'apiKey' | 'playerToken'>,
      sent: { query?: Record<string, string>; headers?: Record<string, string> } = {},
    ) => await invokeFunction(host, 'getRawMetadata', { apiKey, playerToken, ...sent })
  },

  /** The items of a wallet. */
  keptOf: (wallet: string) => tableOf(service).itemsUnder(`WALLET#${wallet}`),
})

import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { numbers } from '@player-nfts/local/samples'
import { dynamoTokenMetadata } from '../../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { KeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { adapterTableOf } from '../aws/stored-items.ts'
import type { CountedService } from '../services/counted-service.ts'
import { newAddress } from '../services/service.ts'
import type { Received } from './client.ts'
import { invokeFunction } from './invoke-function.ts'
import { keptWith, keptWorld, networkOf } from './kept-world.ts'
import { productWith } from './reading.ts'

/** A player with NFTs of contracts, which are connected to a product. */
export type Holder = Awaited<ReturnType<ReturnType<typeof keptReads>['holder']>>

export const tokenIdsOf = ({ json }: Pick<Received, 'json'>): string[] =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

const id = 'snapshot'

/** What tests of reads of kept contracts have in common, on one service: what the follower and the worker would write. */
export function keptReads(service: CountedService) {
  const { kept, change, confirm } = keptWorld(service)
  const metadata = dynamoTokenMetadata(adapterTableOf(service.stack))

  return {
    /**
     * A product, and a player with the NFTs 1 to `count` of each contract in a wallet; the indexer has them too. `contracts`: by
     * their addresses; `contract`: the first of them.
     */
    async holder({
      count = 3,
      chains = ['POLYGON'],
      allowed = numbers(1, count),
    }: {
      count?: number
      chains?: Chain[]
      allowed?: string[]
    } = {}) {
      const wallet = newAddress() as Address
      const contracts = chains
        .map((chain) => ({ chain, address: newAddress() as Address, tokenIds: allowed }))
        .sort((a, b) => (a.address < b.address ? -1 : 1))
      for (const { chain, address } of contracts) {
        const collection = { network: networkOf(chain), address }
        ownedBy(service.world, collection, wallet, numbers(1, count))
      }
      const apiKey = await productWith(service, ...contracts)
      const { playerToken } = await service.newPlayer([wallet])
      const contract = contracts[0] as (typeof contracts)[number]
      return { contracts, contract, wallets: [wallet], apiKey, playerToken }
    },

    ...{ change, confirm },

    /** Keeps a contract, of which each wallet holds these token identifiers. */
    async keep(
      { chain, address }: ContractKey,
      wallets: readonly Address[],
      tokenIds: readonly string[],
      changes: Partial<KeptContract> = {},
    ): Promise<void> {
      await change({ chain, address }, { ...keptWith(id, 'ERC721'), ...changes })
      const balances = new Map(tokenIds.map((text) => [tokenIdOf(BigInt(text)), 1n]))
      for (const wallet of wallets) {
        const change = { settledUpTo: 50, balances }
        await kept.change({ chain, address, id }, wallet, undefined, change)
      }
    },

    /** Keeps the metadata of NFTs. */
    know: ({ chain, address }: ContractKey, tokenIds: readonly string[]) =>
      metadata.put(
        tokenIds.map((tokenId) => ({
          ...{ chain, address, tokenId: tokenId as TokenId, readAt: Date.now(), retries: 0 },
          ...{ metadataLink: `kept:${tokenId}`, metadata: { text: `{"name":"Kept ${tokenId}"}` } },
        })),
      ),

    /** The read of 4.8 by new containers with these settings. `stillAt`: see newContainers. */
    reader(variables: Record<string, string> = {}, stillAt?: number) {
      const host = service.newContainers({ FOLLOWED_CHAINS: 'POLYGON,BSC', ...variables }, stillAt)
      return async (
        { apiKey, playerToken }: { apiKey: string; playerToken: string },
        sent: { query?: Record<string, string>; headers?: Record<string, string> } = {},
      ) => await invokeFunction(host, 'getRawMetadata', { apiKey, playerToken, ...sent })
    },
  }
}

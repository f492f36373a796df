import { dynamoKeptContracts } from '../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoTokenMetadata } from '../../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { readersKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { ownedBy } from '../../../local/indexer/holdings.ts'
import type { Network } from '../../../local/indexer/world.ts'
import { numbers } from '../../../local/samples/samples.ts'
import { adapterTableOf } from '../aws/adapter-table.ts'
import { storedItems } from '../aws/stored-items.ts'
import type { CountedService } from '../services/counted-service.ts'
import { newAddress } from '../services/service.ts'
import type { Received } from './client.ts'
import { invokeFunction } from './invoke-function.ts'
import { productWith, type ToAllowlist } from './reading.ts'

/** A player with NFTs of contracts, which are connected to a product. */
export interface Holder {
  contracts: (ToAllowlist & { chain: Chain; address: Address })[]
  wallets: Address[]
  apiKey: string
  playerToken: string
}

export const tokenIdsOf = ({ json }: Pick<Received, 'json'>): string[] =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

const networks: Partial<Record<Chain, Network>> = { POLYGON: 'polygon-mainnet', BSC: 'bnb-mainnet' }

const id = 'snapshot'

/** What tests of reads of kept contracts have in common, on one service: what the follower and the worker would write. */
export function keptReads(service: CountedService) {
  const table = adapterTableOf(service.stack)
  const items = storedItems(table)
  const kept = dynamoKeptContracts(table)
  const metadata = dynamoTokenMetadata(table)

  return {
    /** A product, and a player with the NFTs 1 to `count` of each contract in each wallet; the indexer has them too. */
    async holder({
      count = 3,
      wallets = 1,
      chains = ['POLYGON'],
      allowed = numbers(1, count),
    }: {
      count?: number
      wallets?: number
      chains?: Chain[]
      allowed?: string[]
    } = {}): Promise<Holder> {
      const owners = Array.from({ length: wallets }, () => newAddress() as Address).sort()
      const contracts = chains.map((chain) => ({
        ...{ chain, address: newAddress() as Address, tokenIds: allowed },
      }))
      for (const { chain, address } of contracts) {
        const collection = { network: networks[chain] as Network, address }
        for (const owner of owners) ownedBy(service.world, collection, owner, numbers(1, count))
      }
      const apiKey = await productWith(service, ...contracts)
      const { playerToken } = await service.newPlayer(owners)
      return { contracts, wallets: owners, apiKey, playerToken }
    },

    /** Writes how far a chain is read, whose reads were noted just now. */
    confirm: (at = Date.now(), chain: Chain = 'POLYGON') =>
      items.put(readersKey(chain), { step: 5, confirmedUpTo: at, askedAt: Date.now() }),

    /** Keeps a contract, of which each wallet holds these token identifiers. */
    async keep(
      { chain, address }: Holder['contracts'][number],
      wallets: readonly Address[],
      tokenIds: readonly string[],
      contract: Partial<KeptContract> = {},
    ): Promise<void> {
      await kept.write(chain, {
        ...newKeptContract(address),
        ...{ version: 1, settledUpTo: 50, eventsAfter: 50, readUpTo: 95, settledAt: 5 },
        snapshot: { id, standard: 'ERC721', step: 4, since: 50, at: Date.now() },
        ...contract,
      })
      const balances = new Map(tokenIds.map((text) => [tokenIdOf(BigInt(text)), 1n]))
      for (const wallet of wallets) {
        const change = { settledUpTo: 50, balances }
        await kept.change({ chain, address, id }, wallet, undefined, change)
      }
    },

    /** Keeps the metadata of NFTs. */
    know: ({ chain, address }: Holder['contracts'][number], tokenIds: readonly string[]) =>
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
        { apiKey, playerToken }: Pick<Holder, 'apiKey' | 'playerToken'>,
        sent: { query?: Record<string, string>; headers?: Record<string, string> } = {},
      ) => await invokeFunction(host, 'getRawMetadata', { apiKey, playerToken, ...sent })
    },
  }
}

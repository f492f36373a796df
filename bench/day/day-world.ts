import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import type {
  ChainEvents,
  ChainState,
  ContractStandards,
} from '../../lib/domain/ports/chain-events.ts'
import { type Indexer, maxNftsPerCall, type TokenOwners } from '../../lib/domain/ports/indexer.ts'
import { firstWith } from '../binary-search.ts'
import { chain } from '../scenario/products.ts'
import { blockAt, type DayChain } from './day-chain.ts'

/** Calls by their methods. A request with several calls of a contract counts as that many. */
export type Calls = Partial<Record<keyof typeof computeUnits, number>>

/** What Alchemy serves, with the calls that were made of it. */
export interface DayIndexer {
  calls: Calls
  indexer: Pick<Indexer, 'ownedNfts' | 'metadata' | 'contractNfts' | 'nftsFrom'>
  tokenOwners: TokenOwners
  chainEvents: ChainEvents
  chainState: ChainState & ContractStandards
}

/** The compute units of calls. */
export const unitsOf = (calls: Calls): number =>
  Object.entries(calls).reduce(
    (sum, [method, count]) => sum + count * computeUnits[method as keyof Calls],
    0,
  )

/** The most pairs of an owner and an NFT in a page of getOwnersForContract. */
const pairsPerPage = 50_000

const described = { metadataLink: '', metadata: { text: '{}' } }

/** An indexer that states the latest block and knows everything up to it. */
export function dayIndexer(world: DayChain): DayIndexer {
  const calls: Calls = {}
  const count = (method: keyof Calls, times = 1) => {
    calls[method] = (calls[method] ?? 0) + times
  }
  return {
    calls,
    indexer: nftApi(world, count),
    tokenOwners: {
      async statedBlock() {
        count('getNFTsForOwner')
        return world.head()
      },
      async page({ contract: { address }, pageKey = '0' }, take) {
        count('getOwnersForContract')
        let pairs = 0
        for (const [index, owner] of world.wallets.entries()) {
          if (index < Number(pageKey)) continue
          if (pairs >= pairsPerPage) return `${index}`
          for (const [tokenId, of] of world.holdingsOf(owner).tokens) {
            if (of !== address) continue
            const taken = take({ owner, tokenId, amount: 1n })
            if (taken) await taken
            pairs += 1
          }
        }
        return undefined
      },
    },
    chainEvents: {
      async head() {
        count('eth_getBlockByNumber')
        return world.head()
      },
      async block(_, number) {
        count('eth_getBlockByNumber')
        return blockAt(number)
      },
      async events({ contracts: addresses, from, to }) {
        count('eth_getLogs')
        return world.eventsBetween(from, to).filter(({ contract }) => addresses.includes(contract))
      },
    },
    chainState: {
      async ownersOf({ block, tokenIds }) {
        count('eth_call', tokenIds.length)
        return tokenIds.map((tokenId) => world.ownerAt(tokenId, block.number))
      },
      async countsOf({ contract, block, wallets }) {
        count('eth_call', wallets.length)
        return wallets.map((wallet) =>
          BigInt(world.countAt(contract.address, wallet, block.number)),
        )
      },
      async balancesOf() {
        throw new Error('every contract of the day is of ERC-721')
      },
      async standardOf() {
        count('eth_call', 2)
        return 'ERC721'
      },
    },
  }
}

function nftApi(world: DayChain, count: (method: keyof Calls) => void): DayIndexer['indexer'] {
  const tokenIds = new Map(world.contracts.map((each) => [each, world.tokenIdsOf(each)]))
  /** A page of a contract's NFTs from a place in their order on. */
  function pageOf(contract: Address, start: number, limit: number) {
    count('getNFTsForContract')
    const all = tokenIds.get(contract) ?? []
    const end = start + limit
    return { tokenIds: all.slice(start, end), next: all[end], end }
  }
  return {
    async ownedNfts({ owner }) {
      count('getNFTsForOwner')
      const block = world.head()
      const nfts = [...world.holdingsOf(owner).tokens].map(
        ([tokenId, address]): OwnedNft => ({
          ...{ chain, address, tokenId, owner, balance: '1' },
          ...described,
        }),
      )
      return { nfts, block }
    },
    async metadata({ contract, tokenIds: wanted }) {
      count('getNFTMetadataBatch')
      return wanted.map((tokenId) => ({ ...contract, tokenId, ...described }))
    },
    async contractNfts({ contract: { address }, pageKey = '0', limit }) {
      const { next, end, ...page } = pageOf(address, Number(pageKey), limit)
      return next === undefined ? page : { ...page, pageKey: `${end}` }
    },
    async nftsFrom({ contract: { address }, from }) {
      const all = tokenIds.get(address) ?? []
      const { next, tokenIds: found } = pageOf(address, firstFrom(all, from), maxNftsPerCall)
      return next === undefined ? { tokenIds: found } : { tokenIds: found, next }
    },
  }
}

/** The index of the first token identifier that is not less than another one. */
const firstFrom = (tokenIds: readonly TokenId[], from: TokenId): number =>
  firstWith(tokenIds.length, (index) => Number(tokenIds[index]) >= Number(from))

import { maxResponseBytes } from '../../../lib/contract/nft-entries.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { KeepingPorts } from '../../../lib/domain/holdings/known-contracts.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { BindingId, Contract, ContractKey, Nft } from '../../../lib/domain/nft/nft.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import { type PlayerNftsQuery, readPlayerNfts } from '../../../lib/domain/player/player-nfts.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { emptyMemory, type Memory } from './memory.ts'
import { memoryCursors, memoryPorts } from './memory-ports.ts'

export const productId = 'product' as ProductId
export const actor = { productId, keyId: 'key' }

/** The NFT with these numbers. */
export const nft = (tokenId: number, contract = 1, chain: Chain = 'POLYGON'): Nft => ({
  chain,
  address: addressOf(contract),
  tokenId: `${tokenId}` as TokenId,
})

/** The first NFTs of a contract, from the identifier 0 on. */
export const nfts = (count: number, contract = 1, chain: Chain = 'POLYGON'): Nft[] =>
  Array.from({ length: count }, (_, tokenId) => nft(tokenId, contract, chain))

/** An NFT in a wallet, as the indexer describes it. */
export const owned = (nft: Nft, owner: Address): OwnedNft => ({
  ...nft,
  owner,
  balance: '1',
  metadataLink: '',
  metadata: { text: '{}' },
})

/** Connects contracts to the product of {@link productId}, with empty allowlists. */
export function connect(memory: Memory, contracts: readonly ContractKey[]): void {
  for (const key of contracts) {
    const at = `${productId} ${key.chain} ${key.address}`
    memory.contracts.set(at, { ...key, bindingId: at as BindingId, productId, ranges: [] })
  }
}

/** Allowlists NFTs of connected contracts. */
export function allow(memory: Memory, nfts: readonly Nft[]): void {
  for (const { chain, address, tokenId } of nfts) {
    const { bindingId } = memory.contracts.get(`${productId} ${chain} ${address}`) as Contract
    const tokenIds = memory.allowed.get(bindingId) ?? new Set<TokenId>()
    memory.allowed.set(bindingId, tokenIds.add(tokenId))
  }
}

/** A product with these NFTs on its allowlist. */
export function allowing(nfts: readonly Nft[]): Memory {
  const memory = emptyMemory()
  connect(memory, nfts)
  allow(memory, nfts)
  return memory
}

/** The calls to an indexer of {@link pagedIndexer}. */
interface RecordedCalls {
  calls: Parameters<Indexer['ownedNfts']>[0][]
  /** The maximum number of simultaneous calls. */
  mostAtOnce: number
}

/** An indexer that returns holdings page by page, in their order, and counts its calls. */
export function pagedIndexer(
  holdings: readonly OwnedNft[],
  pageSize = 100,
): Pick<Indexer, 'ownedNfts'> & RecordedCalls {
  let atOnce = 0
  const recorded: RecordedCalls = { calls: [], mostAtOnce: 0 }
  return Object.assign(recorded, {
    async ownedNfts(query: RecordedCalls['calls'][number]) {
      recorded.calls.push(query)
      atOnce += 1
      recorded.mostAtOnce = Math.max(recorded.mostAtOnce, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      const held = holdings.filter(
        ({ chain, owner, address }) =>
          chain === query.chain && owner === query.owner && query.contracts.includes(address),
      )
      const end = Number(query.pageKey ?? 0) + pageSize
      const nfts = held.slice(end - pageSize, end)
      return { nfts, ...(end < held.length && { pageKey: `${end}` }) }
    },
  })
}

/**
 * Reads a player's NFTs from memory ports and an indexer, as entries of the same size, and counts
 * the calls to the other ports.
 */
export function readerOf(
  memory: Memory,
  indexer: Pick<Indexer, 'ownedNfts'>,
  sizeEach = 100,
  keeping?: KeepingPorts,
) {
  const counts: Record<string, number> = {}
  const ports = memoryPorts(memory, (call, when) => {
    if (when === 'before') counts[call] = (counts[call] ?? 0) + 1
  })
  const read = (query: Pick<PlayerNftsQuery, 'player'> & Partial<PlayerNftsQuery>) =>
    readPlayerNfts(
      { operation: 'getRawMetadata', productId, deadline: Date.now() + 25_000, ...query },
      { render: (entry) => ({ entry, size: sizeEach }), maxSize: maxResponseBytes },
      {
        ...ports,
        indexer: { ...ports.indexer, ...indexer },
        cursors: memoryCursors,
        keeping,
      },
    )
  return { read, counts }
}

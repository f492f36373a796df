import type { Chain } from '../../../lib/domain/chain.ts'
import type { Metadata } from '../../../lib/domain/owned-nft.ts'
import type { Indexer } from '../../../lib/domain/ports.ts'
import { type ContractRefresh, refreshProductContract } from '../../../lib/domain/refresh.ts'
import { emptyMemory, type Memory, memoryPorts, type Tap } from './memory-ports.ts'
import { addressOf, allow, connect, nft, productId } from './owned-nfts.ts'

/**
 * A contract with so many NFTs allowlisted, numbered from 0: the source has something new to say of
 * every tenth, and of every 50th from the 7th on it cannot be read.
 */
export function refreshable(count: number, chains: readonly Chain[] = ['POLYGON']): Memory {
  const memory = emptyMemory()
  for (const chain of chains) {
    connect(memory, [nft(0, 1, chain)])
    allow(
      memory,
      Array.from({ length: count }, (_, index) => nft(index, 1, chain)),
    )
  }
  for (let index = 0; index < count; index += 1) {
    const { tokenId } = nft(index)
    const isNew = index % 10 === 0
    const current: Metadata =
      index % 50 === 7
        ? { text: '{}', fault: 'not_available' }
        : { text: `{"level":${isNew ? 2 : 1}}` }
    memory.cached.set(tokenId, { text: '{"level":1}' })
    memory.current.set(tokenId, current)
  }
  return memory
}

/** How many of the first `count` of {@link refreshable} are changed and failed. */
export const countsOf = (count: number) => ({
  checked: count,
  changed: Math.ceil(count / 10),
  failed: Math.ceil((count - 7) / 50),
})

/** Asks for a refresh of the contract, as a request would, and gives what is told of each chain. */
export const refresh = (
  memory: Memory,
  options: { tap?: Tap; chain?: Chain; milliseconds?: number; indexer?: Partial<Indexer> } = {},
): Promise<ContractRefresh[]> => {
  const { tap, chain, milliseconds = 25_000, indexer } = options
  const ports = memoryPorts(memory, tap)
  return refreshProductContract(
    productId,
    { address: addressOf(1), chain },
    Date.now() + milliseconds,
    { ...ports, indexer: { ...ports.indexer, ...indexer } },
  )
}

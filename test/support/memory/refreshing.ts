import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import {
  type ContractRefresh,
  refreshProductContract,
} from '../../../lib/domain/refresh/refresh.ts'
import { emptyMemory, type Memory, memoryPorts, type Tap } from './memory-ports.ts'
import { actor, addressOf, allow, connect, nft } from './owned-nfts.ts'

/**
 * A contract with this number of allowlisted NFTs, numbered from 0: every tenth has new metadata at its
 * source, and the source of every 50th, starting with the 7th, fails.
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

/** The counts of a refresh of the first `count` NFTs of {@link refreshable}. */
export const countsOf = (count: number) => ({
  checked: count,
  changed: Math.ceil(count / 10),
  failed: Math.ceil((count - 7) / 50),
})

/** Refreshes the contract like a request does, and returns the result for each chain. */
export const refresh = (
  memory: Memory,
  options: { tap?: Tap; chain?: Chain; milliseconds?: number; indexer?: Partial<Indexer> } = {},
): Promise<ContractRefresh[]> => {
  const { tap, chain, milliseconds = 25_000, indexer } = options
  const ports = memoryPorts(memory, tap)
  return refreshProductContract(
    actor,
    { address: addressOf(1), chain },
    Date.now() + milliseconds,
    { ...ports, indexer: { ...ports.indexer, ...indexer } },
  )
}

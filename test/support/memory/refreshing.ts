import { setTimeout } from 'node:timers/promises'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { TokenRanges } from '../../../lib/domain/allowlist/token-ranges.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import {
  type ContractRefresh,
  refreshProductContract,
} from '../../../lib/domain/refresh/refresh.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import type { Memory } from './memory.ts'
import { memoryPorts, type Tap } from './memory-ports.ts'
import { actor, allow, allowing, nft, nfts } from './owned-nfts.ts'

/**
 * A contract with this number of allowlisted NFTs, numbered from 0: every tenth has new metadata at its
 * source, and the source of every 50th, starting with the 7th, fails.
 */
export function refreshable(count: number, chains: readonly Chain[] = ['POLYGON']): Memory {
  const memory = allowing(chains.flatMap((chain) => nfts(count, 1, chain)))
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

/** Refreshes once more, at a later millisecond, when enough time has passed. */
export async function refreshAgain(memory: Memory): Promise<ContractRefresh[]> {
  await setTimeout(2)
  memory.isNextRefreshDue = true
  return await refresh(memory)
}

/** A distant end of a delivery. */
export const later = () => Date.now() + 60_000

/** The range from the first to the last identifier. */
export const range = (first: number, last: number) => ({ first: BigInt(first), last: BigInt(last) })

/** Replaces the ranges of the only contract. */
export function setRanges(memory: Memory, ranges: TokenRanges): void {
  for (const [at, contract] of memory.contracts) memory.contracts.set(at, { ...contract, ranges })
}

/** A contract with these ranges, of which `count` NFTs exist; the identifiers in `singles` are on the list alone. */
export function withRanges(
  count: number,
  ranges: TokenRanges,
  singles: readonly number[] = [],
  chains: readonly Chain[] = ['POLYGON'],
): Memory {
  const memory = refreshable(count, chains)
  memory.allowed.clear()
  allow(
    memory,
    singles.map((tokenId) => nft(tokenId)),
  )
  setRanges(memory, ranges)
  return memory
}

/** The state of the only refresh. */
export const stateOf = (memory: Memory) => [...memory.refreshes.values()][0]

/** Refreshes, and notes each call of a port and the identifiers whose metadata was fetched from the source. */
export async function tracked(memory: Memory) {
  const calls: string[] = []
  const fetched: TokenId[] = []
  const { indexer } = memoryPorts(memory)
  const metadata: Indexer['metadata'] = async (query) => {
    if (query.fromSource) fetched.push(...query.tokenIds)
    calls.push('metadata')
    return await indexer.metadata(query)
  }
  const contractNfts: Indexer['contractNfts'] = async (query) => {
    calls.push(`page of ${query.limit}`)
    return await indexer.contractNfts(query)
  }
  const tap: Tap = (call, when) => {
    if (when === 'before' && call.startsWith('allowedTokenIds.')) calls.push(call)
  }
  const [report] = await refresh(memory, { tap, indexer: { metadata, contractNfts } })
  const { checked, changed, failed, pending } = report?.state ?? {}
  return { counts: { checked, changed, failed, pending }, calls, fetched }
}

/** Delivers every message, including the messages that follow from it. */
export async function drain(memory: Memory, maxNftsPerRefresh?: number, tap?: Tap): Promise<void> {
  for (let item = memory.queue.shift(); item; item = memory.queue.shift()) {
    await processWorkItem(item, later(), { ...memoryPorts(memory, tap), maxNftsPerRefresh })
  }
}

/** The identifiers from the first to the last. */
export const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`)

import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { TokenRanges } from '../../../lib/domain/allowlist/token-ranges.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { Tap } from './memory-ports.ts'
import { type Memory, memoryPorts } from './memory-ports.ts'
import { allow, nft } from './owned-nfts.ts'
import { refresh, refreshable } from './refreshing.ts'

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
export async function tracked(memory: Memory, options: Parameters<typeof refresh>[1] = {}) {
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
  const reports = await refresh(memory, { tap, indexer: { metadata, contractNfts }, ...options })
  const { checked, changed, failed, pending } = reports[0]?.state ?? {}
  return { counts: { checked, changed, failed, pending }, report: reports[0], calls, fetched }
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

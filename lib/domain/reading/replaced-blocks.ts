import { IndexerUnavailable, RateLimited } from '../failures.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { FoundReading, KeptReadings } from '../ports/kept-readings.ts'
import type { Deadline } from '../time-budget.ts'
import type { RememberingSettings } from './freshness.ts'
import type { KeptReading, ReadingScope } from './kept-reading.ts'

export interface BranchPorts {
  chainBlocks: Pick<ChainEvents, 'block'>
  keptReadings: Pick<KeptReadings, 'noteBranch'>
  remembering: Pick<RememberingSettings, 'settlingSeconds'>
}

/**
 * Whether the blocks of a kept reading may be part of their chain (D87): as long as nobody can know, `unknown`, which
 * counts as yes; then the answer of the chain, which is asked for once and noted; and `doubtful` if the chain cannot be
 * asked. A call that the limits of the product refuse leaves it unknown.
 */
export async function branchOf(
  { chain, ...scope }: ReadingScope,
  { readingId, readAt, stated }: KeptReading,
  found: Pick<FoundReading, 'isPart'> | undefined,
  { chainBlocks, keptReadings, remembering }: BranchPorts,
  deadline: Deadline,
): Promise<'part' | 'replaced' | 'unknown' | 'doubtful'> {
  if (!stated) return 'doubtful'
  if (found?.isPart !== undefined) return found.isPart ? 'part' : 'replaced'
  const endedAt = Math.max(readAt, ...stated.map(({ at }) => at))
  if (Date.now() - endedAt <= remembering.settlingSeconds * 1_000) return 'unknown'
  try {
    const blocks = await Promise.all(
      stated.map(({ number }) => chainBlocks.block(chain, number, deadline)),
    )
    if (blocks.includes(undefined)) return 'doubtful'
    const isPart = stated.every(({ hash }, index) => blocks[index]?.hash === hash)
    keptReadings.noteBranch({ chain, ...scope }, readingId, isPart)
    return isPart ? 'part' : 'replaced'
  } catch (error) {
    if (error instanceof RateLimited) return 'unknown'
    if (error instanceof IndexerUnavailable) return 'doubtful'
    throw error
  }
}

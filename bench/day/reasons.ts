import type { Evidence, RememberingSettings } from '../../lib/domain/reading/freshness.ts'
import type { ReadingAge } from '../../lib/domain/reading/kept-reading.ts'

/** Why a read asks the indexer, by what the tables call it. */
export const reasons = {
  new: 'nothing was kept',
  age: 'kept for 24 hours',
  moved: 'the wallet had moved since',
  settling: 'kept within the settling time after a transfer',
  doubt: 'anything else',
} as const

export type Reason = keyof typeof reasons

/** Why a read that found this asked the indexer. */
export function reasonOf(
  found: { reading?: ReadingAge | undefined; evidence: Evidence },
  { rememberFollowedSeconds }: RememberingSettings,
): Reason {
  const { now, chain } = found.evidence
  const block = found.reading?.block
  if (!block) return 'new'
  if (now - block.at >= rememberFollowedSeconds * 1_000) return 'age'
  if (chain?.movedAt === undefined) return 'doubt'
  return chain.movedAt > block.at ? 'moved' : 'settling'
}

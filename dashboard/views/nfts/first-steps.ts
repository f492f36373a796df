import type { DailyUsage } from '../../../clients/typescript/src/types.ts'

/** The first steps with a game, and which of them are done. */
export interface FirstSteps {
  hasNfts: boolean
  hasTried: boolean
  /** Whether a game has read a player's NFTs in the days of the usage. */
  hasCalled: boolean
}

const reads: ReadonlySet<string> = new Set(['getRawMetadata', 'getStructuredMetadata'])

/** Judges the first steps by the usage of 30 days, without the `tried` calls of this session. */
export function firstSteps(
  hasNfts: boolean,
  usage: readonly DailyUsage[],
  tried: number,
): FirstSteps {
  const counted = usage
    .flatMap(({ calls }) => calls)
    .filter(({ operation, outcome }) => reads.has(operation) && outcome === 'success')
    .reduce((sum, { count }) => sum + count, 0)
  return { hasNfts, hasTried: tried > 0 || counted > 0, hasCalled: counted > tried }
}

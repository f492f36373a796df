import type { ReadingScope } from './kept-reading.ts'
import type { ChainPositions, Finding, KeptReadings } from './ports/kept-readings.ts'

/** Finds the kept reading of a scope, with the evidence about it; `undefined` if the caller accepts nothing kept. */
export type FindReading = (scope: ReadingScope) => Promise<Finding | undefined>

/** For a caller who accepts nothing that is kept. */
export const findNothing: FindReading = async () => undefined

/**
 * Returns the function that finds kept readings, for one request. Those of the expected scopes are looked for at
 * once, beside the list of contracts, which saves a round of requests if the scopes are as expected.
 */
export function readingFinder(
  expected: readonly ReadingScope[],
  positions: Promise<ChainPositions>,
  keptReadings: KeptReadings,
): FindReading {
  // No scope may need the positions, or the request may fail before.
  positions.catch(() => undefined)
  const find = async (scope: ReadingScope): Promise<Finding> =>
    await keptReadings.find(scope, await positions)
  const begun = new Map(
    expected
      .filter(({ chain }) => keptReadings.keeps(chain))
      .map((scope) => [nameOf(scope), find(scope)]),
  )
  for (const finding of begun.values()) finding.catch(() => undefined)
  return (scope) => begun.get(nameOf(scope)) ?? find(scope)
}

const nameOf = ({ chain, owner, contracts }: ReadingScope): string =>
  [chain, owner, ...contracts].join()

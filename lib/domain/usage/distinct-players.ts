/**
 * Counts distinct players with little memory (D55): of the digests of all players, only the smallest are
 * kept. Fewer than {@link sketchSize} players are counted exactly. For more players, the largest kept digest
 * shows how densely the digests lie, and so how many there are ("k minimum values", Bar-Yossef et al.,
 * RANDOM 2002). The standard error is 1 / sqrt(sketchSize - 2), that is 6.3 %. The sketch of a union of
 * players is the sketch of the union of their sketches, so containers need not know of each other.
 */

/** The number of digests that a sketch needs. */
export const sketchSize = 256

/** Digests are whole numbers from 0, and less than this. */
export const digestRange = 2 ** 32

/** The part of some digests that a sketch needs, in ascending order. */
export const smallestDigests = (digests: Iterable<number>): number[] =>
  [...new Set(digests)].sort((a, b) => a - b).slice(0, sketchSize)

/** The number of players with these digests, and whether it is an estimate. */
export function countPlayers(digests: Iterable<number>): { players: number; isEstimate: boolean } {
  const smallest = smallestDigests(digests)
  const last = smallest[sketchSize - 1]
  if (last === undefined) return { players: smallest.length, isEstimate: false }
  return { players: Math.round(((sketchSize - 1) * digestRange) / (last + 1)), isEstimate: true }
}

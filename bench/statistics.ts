export interface Spread {
  median: number
  lowerQuartile: number
  upperQuartile: number
}

/** The quantile for a share from 0 to 1, with linear interpolation. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

export const spreadOf = (numbers: readonly number[]): Spread => ({
  median: median(numbers),
  lowerQuartile: quantile(numbers, 0.25),
  upperQuartile: quantile(numbers, 0.75),
})

/**
 * Whether the samples decide on which side of a limit the true median lies. The bounding ranks are those of the sign
 * test at 99.9 %, because a test that is repeated after each sample until it decides errs more often.
 */
export function isSettled(numbers: readonly number[], limit: number | undefined): boolean {
  if (limit === undefined) return true
  const reach = 1.65 / Math.sqrt(numbers.length)
  const [low, high] = [quantile(numbers, 0.5 - reach), quantile(numbers, 0.5 + reach)]
  return high <= limit || low > limit
}

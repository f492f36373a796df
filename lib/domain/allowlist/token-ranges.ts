import { largestTokenId, type TokenId } from './token-id.ts'

/** Token identifiers from `first` to `last`, both included, as numbers (D57). */
export interface TokenRange {
  readonly first: bigint
  readonly last: bigint
}

/** A set of token identifiers: ranges in the order of numbers that neither overlap nor touch. */
export type TokenRanges = readonly TokenRange[]

export const everyTokenId: TokenRange = { first: 0n, last: largestTokenId }

/** The range of a single identifier. */
export function rangeOf(tokenId: TokenId): TokenRange {
  const number = BigInt(tokenId)
  return { first: number, last: number }
}

/** The identifiers that are in the set or in one of the added ranges, which may overlap. */
export function unionOf(ranges: TokenRanges, added: readonly TokenRange[]): TokenRanges {
  const merged: TokenRange[] = []
  for (const range of [...ranges, ...added].sort(byFirst)) {
    const before = merged.at(-1)
    if (before === undefined || range.first > before.last + 1n) merged.push(range)
    else if (range.last > before.last) {
      merged[merged.length - 1] = { first: before.first, last: range.last }
    }
  }
  return merged
}

/** The identifiers of the set that are in none of the removed ranges, which may overlap. */
export function differenceOf(ranges: TokenRanges, removed: readonly TokenRange[]): TokenRanges {
  const kept = complementOf(unionOf([], removed))
  const left: TokenRange[] = []
  let [at, next] = [0, 0]
  while (true) {
    const [a, b] = [ranges[at], kept[next]]
    if (!a || !b) return left
    const first = a.first > b.first ? a.first : b.first
    const last = a.last < b.last ? a.last : b.last
    if (first <= last) left.push({ first, last })
    if (last === a.last) at += 1
    else next += 1
  }
}

function complementOf(ranges: TokenRanges): TokenRanges {
  const gaps: TokenRange[] = []
  let { first } = everyTokenId
  for (const range of ranges) {
    if (first < range.first) gaps.push({ first, last: range.first - 1n })
    first = range.last + 1n
  }
  if (first <= everyTokenId.last) gaps.push({ first, last: everyTokenId.last })
  return gaps
}

/** The range that an identifier is in. */
export function rangeWith(ranges: TokenRanges, tokenId: bigint): TokenRange | undefined {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (!range || tokenId < range.first) high = middle - 1
    else if (tokenId > range.last) low = middle + 1
    else return range
  }
  return undefined
}

export const sizeOf = (ranges: TokenRanges): bigint =>
  ranges.reduce((size, { first, last }) => size + last - first + 1n, 0n)

export const isEverything = (ranges: TokenRanges): boolean => sameTokenIds(ranges, [everyTokenId])

/** Whether two sets have the same identifiers. */
export const sameTokenIds = (a: TokenRanges, b: TokenRanges): boolean =>
  a.length === b.length &&
  a.every(({ first, last }, index) => first === b[index]?.first && last === b[index]?.last)

const byFirst = (a: TokenRange, b: TokenRange): number =>
  a.first < b.first ? -1 : a.first > b.first ? 1 : 0

import { counted } from '../../shell/counted.ts'
import { isRange, largestTokenId } from './token-element.ts'

/** What removing some elements does to the ranges of a contract. */
interface RangeChange {
  /** The ranges of the contract that lose identifiers. */
  changed: readonly string[]
  /** All ranges of the contract afterwards. */
  ranges: readonly string[]
}

/** The maximum number of ranges of a contract (D57). */
export const maxRanges = 100

interface Range {
  first: bigint
  last: bigint
}

/** Returns what removing these elements does to the ranges of a contract (D57). */
export function rangesWithout(ranges: readonly string[], elements: readonly string[]): RangeChange {
  const removed = elements.map(toRange).sort(byFirst)
  const changed: string[] = []
  const left: string[] = []
  for (const text of ranges) {
    const parts = partsOutside(toRange(text), removed)
    const texts = parts.map(toText)
    if (texts.length !== 1 || texts[0] !== text) changed.push(text)
    left.push(...texts)
  }
  return { changed, ranges: left }
}

/** The parts of a range that are in none of the removed ranges, which are in the order of numbers. */
function partsOutside(range: Range, removed: readonly Range[]): Range[] {
  const parts: Range[] = []
  let { first } = range
  for (const gap of removed) {
    if (gap.last < first) continue
    if (gap.first > range.last) break
    if (gap.first > first) parts.push({ first, last: gap.first - 1n })
    first = gap.last + 1n
  }
  if (first <= range.last) parts.push({ first, last: range.last })
  return parts
}

function toRange(element: string): Range {
  if (element === '*') return { first: 0n, last: BigInt(largestTokenId) }
  const [first = '', last = first] = element.split('..')
  return { first: BigInt(first), last: BigInt(last) }
}

function toText({ first, last }: Range): string {
  if (first === last) return String(first)
  return first === 0n && String(last) === largestTokenId ? '*' : `${first}..${last}`
}

const byFirst = (a: Range, b: Range): number => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0)

/** The elements in words: `12,345 NFTs and the range 5..9`, `12 ranges`, or `the whole collection`. */
export function describeElements(elements: readonly string[]): string {
  if (elements.includes('*')) return 'the whole collection'
  const ranges = elements.filter(isRange)
  const singles = elements.length - ranges.length
  const parts = [
    singles > 0 || ranges.length === 0 ? counted(singles, 'NFT') : '',
    ranges.length > 0 ? describeRanges(ranges) : '',
  ]
  return parts.filter((part) => part !== '').join(' and ')
}

/** Ranges in words, at most `shown` of them by their texts: `the ranges 5..9, 12..14`, or `12 ranges`. */
export function describeRanges(ranges: readonly string[], shown = 3): string {
  if (ranges.length > shown) return counted(ranges.length, 'range')
  return `the ${ranges.length === 1 ? 'range' : 'ranges'} ${ranges.join(', ')}`
}

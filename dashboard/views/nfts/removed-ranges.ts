import { parseTokenElement, tokenElementText } from '../../../lib/domain/allowlist/token-element.ts'
import {
  differenceOf,
  rangeOf,
  type TokenRange,
} from '../../../lib/domain/allowlist/token-ranges.ts'
import { counted } from '../../shell/counted.ts'
import { isRange } from './token-element.ts'

/** The maximum number of ranges of a contract (D57). */
export const maxRanges = 100

/** The ranges of a contract after these elements are removed (D57). `changed`: those that lose identifiers. */
export function rangesWithout(ranges: readonly string[], elements: readonly string[]) {
  const left = differenceOf(ranges.map(toRange), elements.map(toRange)).map(tokenElementText)
  const texts = new Set<string>(left)
  return { changed: ranges.filter((range) => !texts.has(range)), ranges: left }
}

function toRange(text: string): TokenRange {
  const element = parseTokenElement(text)
  if (element === undefined) throw new TypeError(`${text} is no element of an allowlist`)
  return typeof element === 'string' ? rangeOf(element) : element
}

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

import { faultOf } from './element-fault.ts'

/** A text read as an element of an allowlist: its form in responses of the API, or what is wrong with it. */
type ReadElement = { element: string; fault?: undefined } | { element?: undefined; fault: string }

const decimal = /^[0-9]+$/
const hexadecimal = /^0[xX][0-9a-fA-F]+$/

/** The largest token identifier, 2^256 − 1. */
export const largestTokenId = String(2n ** 256n - 1n)

/** The maximum length of a token identifier as text, in characters, leading zeros included. */
const maxTokenIdLength = 100

const tooLarge = 'is larger than 2^256 − 1, the largest token identifier'
const tooLong = `has more than ${maxTokenIdLength} characters`

/**
 * Reads a token identifier in decimal or `0x` hexadecimal text, a range `a..b`, or `*`, as the API reads
 * them (D15, D57). Equal identifiers and ranges have equal texts. The fault continues a sentence that begins
 * with the text.
 */
export function readElement(text: string): ReadElement {
  if (text === '*') return { element: '*' }
  const dots = text.indexOf('..')
  if (dots < 0) return readTokenId(text)
  const first = readTokenId(text.slice(0, dots))
  const last = readTokenId(text.slice(dots + 2))
  if (first.element === undefined || last.element === undefined) {
    return { fault: `is not a range: ${rangeFault(text, first, last)}` }
  }
  const order = compareTokenIds(first.element, last.element)
  if (order > 0) return { fault: 'is a range whose first identifier is larger than its last' }
  if (order === 0) return first
  const isEvery = first.element === '0' && last.element === largestTokenId
  return { element: isEvery ? '*' : `${first.element}..${last.element}` }
}

function rangeFault(text: string, first: ReadElement, last: ReadElement): string {
  const dots = text.indexOf('..')
  const [part, fault] =
    first.fault === undefined
      ? [text.slice(dots + 2), last.fault]
      : [text.slice(0, dots), first.fault]
  return part === '' ? 'write both ends, such as 1..5000' : `${part} ${fault}`
}

/** Reads a token identifier in decimal or `0x` hexadecimal text. The element is its decimal text. */
export function readTokenId(text: string): ReadElement {
  if (decimal.test(text)) {
    if (text.length > maxTokenIdLength) return { fault: tooLong }
    const digits = text.replace(/^0+(?=\d)/, '')
    return compareTokenIds(digits, largestTokenId) > 0 ? { fault: tooLarge } : { element: digits }
  }
  if (!hexadecimal.test(text)) return { fault: faultOf(text) }
  if (text.length > maxTokenIdLength) return { fault: tooLong }
  const digits = String(BigInt(text))
  return compareTokenIds(digits, largestTokenId) > 0 ? { fault: tooLarge } : { element: digits }
}

/** Orders the decimal texts of token identifiers as numbers. */
export const compareTokenIds = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Whether an element is a range or `*`. */
export const isRange = (element: string): boolean => element === '*' || element.includes('..')

/** Whether an element is or contains a token identifier, which is decimal text without leading zeros. */
export function coversTokenId(element: string, tokenId: string): boolean {
  if (element === '*' || element === tokenId) return true
  const [first, last] = element.split('..')
  if (first === undefined || last === undefined) return false
  return compareTokenIds(first, tokenId) <= 0 && compareTokenIds(tokenId, last) <= 0
}

/**
 * Whether a spreadsheet may have rounded a decimal token identifier: it keeps 15 digits of a number and writes
 * zeros for the others. Such an identifier can also be right.
 */
export const mayBeRounded = (tokenId: string): boolean =>
  tokenId.length >= 18 && /^0+$/.test(tokenId.slice(15))

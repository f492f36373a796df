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

/**
 * Whether a spreadsheet may have rounded a decimal token identifier: it keeps 15 digits of a number and writes
 * zeros for the others. Such an identifier can also be right.
 */
export const mayBeRounded = (tokenId: string): boolean =>
  tokenId.length >= 18 && /^0+$/.test(tokenId.slice(15))

/** A digit group of three after each separator of thousands: `1,000`, `12.345.678`, `1 000`. */
const grouped = /^\d{1,3}([,.'’ \u00a0\u202f_]\d{3})+$/u

/** Forms that people and spreadsheets write in place of a token identifier, in the order of the checks. */
const knownForms: readonly (readonly [form: RegExp, fault: string])[] = [
  [/^$/, 'is empty'],
  [
    /^[+-]?\d+([.,]\d+)?[eE][+-]?\d+$/,
    'is in scientific notation: a spreadsheet has replaced digits by an exponent. Format the column as text, enter the identifiers again, and export it again',
  ],
  [grouped, 'has a separator of thousands. Write the digits only, one identifier on each line'],
  [
    /^[+-]?\d+[.,]\d*$/,
    'has a decimal point: a spreadsheet has treated the identifier as a number. Format the column as text, and export it again',
  ],
  [/^[-−]\s*\d+$/u, 'is negative'],
  [/^\+\d+$/, 'has a plus sign. Write the digits only'],
  [
    /^(\d+|0[xX][0-9a-fA-F]+)\s*(-|–|—|:|to|…|\.)\s*(\d+|0[xX][0-9a-fA-F]+)$/u,
    'is not a range: write both ends with two dots between them, such as 1..5000',
  ],
  [/^['’`]/u, 'begins with an apostrophe, with which a spreadsheet marks text'],
  [/^#/, 'is an error or a comment of a spreadsheet'],
  [/^=/, 'is a formula of a spreadsheet'],
  [/^0[xX]$/, 'has no digits after 0x'],
  [/^(?=.*[a-fA-F])[0-9a-fA-F]+$/, 'is hexadecimal text without 0x in front'],
]

/**
 * Why a text is no token identifier, as the end of a sentence that begins with the text. It names the forms
 * in which spreadsheets destroy numbers.
 */
export function faultOf(text: string): string {
  const known = knownForms.find(([form]) => form.test(text))
  return known?.[1] ?? 'is not a whole number in decimal or 0x hexadecimal text'
}

/** Whether a text is a number with separators of thousands, such as `1,000`, or three-digit numbers of a list. */
export const isGroupedNumber = (text: string): boolean => grouped.test(text)

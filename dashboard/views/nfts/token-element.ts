import { parseTokenElement, tokenElementText } from '../../../lib/domain/allowlist/token-element.ts'
import { maxTokenIdLength, parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'

/** A text read as an element of an allowlist: its form in responses of the API, or what is wrong with it. */
type ReadElement = { element: string; fault?: undefined } | { element?: undefined; fault: string }

/**
 * Reads a token identifier, a range `a..b`, or `*`, as the API does (D15, D57). The fault continues a sentence that begins
 * with the text.
 */
export function readElement(text: string): ReadElement {
  const element = parseTokenElement(text)
  return element === undefined
    ? { fault: faultOfElement(text) }
    : { element: tokenElementText(element) }
}

function faultOfElement(text: string): string {
  const at = text.indexOf('..')
  if (at < 0) return faultOf(text)
  const ends = [text.slice(0, at), text.slice(at + 2)]
  const wrong = ends.find((end) => parseTokenId(end) === undefined)
  if (wrong === undefined) return 'is a range whose first identifier is larger than its last'
  const fault = wrong === '' ? 'write both ends, such as 1..5000' : `${wrong} ${faultOf(wrong)}`
  return `is not a range: ${fault}`
}

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

const decimalOrHex = /^(\d+|0[xX][0-9a-fA-F]+)$/

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
  [decimalOrHex, 'is larger than 2^256 − 1, the largest token identifier'],
  [/^(?=.*[a-fA-F])[0-9a-fA-F]+$/, 'is hexadecimal text without 0x in front'],
]

/**
 * Why a text is no token identifier, as the end of a sentence that begins with the text. It names the forms
 * in which spreadsheets destroy numbers.
 */
export function faultOf(text: string): string {
  if (text.length > maxTokenIdLength && decimalOrHex.test(text)) {
    return `has more than ${maxTokenIdLength} characters`
  }
  const known = knownForms.find(([form]) => form.test(text))
  return known?.[1] ?? 'is not a whole number in decimal or 0x hexadecimal text'
}

/** Whether a text is a number with separators of thousands, such as `1,000`, or three-digit numbers of a list. */
export const isGroupedNumber = (text: string): boolean => grouped.test(text)

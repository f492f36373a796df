import { type Branded, branded } from '../branded.ts'

/** An NFT token identifier in its stored form: an unsigned 256-bit integer as canonical decimal text (D15). */
export type TokenId = Branded<'TokenId'>

/** The maximum length of a token identifier as text, in characters (D15). */
export const maxTokenIdLength = 100

const decimalOrHex = /^(?:[0-9]+|0[xX][0-9a-fA-F]+)$/

/** The largest token identifier (D15). */
export const largestTokenId = 2n ** 256n - 1n

const maxDigits = 78

/** Reads decimal or `0x` hexadecimal text of up to 256 bits, leading zeros allowed (D15); else `undefined`. */
export function parseTokenId(text: string): TokenId | undefined {
  if (text.length > maxTokenIdLength || !decimalOrHex.test(text)) return undefined
  const number = BigInt(text)
  return number <= largestTokenId ? tokenIdOf(number) : undefined
}

/** The stored form of a number of up to 256 bits. */
export const tokenIdOf = (number: bigint): TokenId => branded(`${number}`)

/** The identifier as 78 digits, so that the order of texts is the order of numbers. */
export const sortableTokenId = (tokenId: TokenId): string => tokenId.padStart(maxDigits, '0')

/** The stored form of 78 sortable digits. */
export const fromSortableTokenId = (digits: string): TokenId =>
  branded(digits.replace(/^0+(?=\d)/, ''))

/** Orders token identifiers as numbers, without a conversion to numbers. */
export const compareTokenIds = (a: TokenId, b: TokenId): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

import { type Branded, branded } from '../branded.ts'
import type { ContractKey } from '../nft/nft.ts'
import { maxTokenIdLength, parseTokenId, type TokenId, tokenIdOf } from './token-id.ts'
import { everyTokenId, type TokenRange } from './token-ranges.ts'

/** An element of a request's list of tokens: a token identifier, or a range of them (D57). */
export type TokenElement = TokenId | TokenRange

/** An element as responses contain it: a token identifier, `a..b`, or `*`. */
export type TokenElementText = Branded<'TokenElement' | 'TokenId'>

const separator = '..'

/** The maximum length of an element as text, in characters: two token identifiers and the dots. */
export const maxTokenElementLength = 2 * maxTokenIdLength + separator.length

/**
 * Reads a token identifier (D15), a range `a..b` of two token identifiers with a ≤ b, or `*`, which is every
 * identifier. A range of one identifier is that identifier. `undefined` for anything else.
 */
export function parseTokenElement(text: string): TokenElement | undefined {
  if (text === '*') return everyTokenId
  const at = text.indexOf(separator)
  if (at < 0) return parseTokenId(text)
  const first = parseTokenId(text.slice(0, at))
  const last = parseTokenId(text.slice(at + separator.length))
  if (first === undefined || last === undefined) return undefined
  if (first === last) return first
  const range = { first: BigInt(first), last: BigInt(last) }
  return range.first < range.last ? range : undefined
}

/** The text of an element: the same for all elements with the same identifiers. */
export function tokenElementText(element: TokenElement): TokenElementText {
  if (typeof element === 'string') return element
  const { first, last } = element
  if (first === last) return tokenIdOf(first)
  const isEvery = first === everyTokenId.first && last === everyTokenId.last
  return branded(isEvery ? '*' : `${first}${separator}${last}`)
}

export const firstTokenId = (element: TokenElement): TokenId =>
  typeof element === 'string' ? element : tokenIdOf(element.first)

export const lastTokenId = (element: TokenElement): TokenId =>
  typeof element === 'string' ? element : tokenIdOf(element.last)

/** An entry of an allowlist: a contract, and a token identifier or a range. */
export interface AllowlistEntry extends ContractKey {
  tokenId: TokenElementText
}

export const entryOf = (
  { chain, address }: ContractKey,
  element: TokenElement,
): AllowlistEntry => ({
  tokenId: tokenElementText(element),
  address,
  chain,
})

/** The elements of a list, by their kind. */
export function splitTokenElements(elements: readonly TokenElement[]): {
  tokenIds: TokenId[]
  ranges: TokenRange[]
} {
  const tokenIds: TokenId[] = []
  const ranges: TokenRange[] = []
  for (const element of elements) {
    if (typeof element === 'string') tokenIds.push(element)
    else ranges.push(element)
  }
  return { tokenIds, ranges }
}

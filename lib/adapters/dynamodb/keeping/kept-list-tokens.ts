import * as v from 'valibot'
import { type TokenId, tokenIdOf } from '../../../domain/allowlist/token-id.ts'
import type { Holdings } from '../../../domain/holdings/holdings.ts'
import type { ListChange, TokenIds } from '../../../domain/ports/kept-contracts.ts'

/** Token identifiers with balances above 0, in numeric order. */
export type Tokens = readonly (readonly [tokenId: bigint, balance: bigint])[]

/** The largest text of a part, in bytes, unless a token alone is larger. */
const maxPartBytes = 8 * 1_024

/** A text of {@link tokensText}. */
export const tokensForm = v.pipe(
  v.string(),
  v.regex(/^(?:[\da-f]+(?::[\da-f]+)?(?: [\da-f]+(?::[\da-f]+)?)*)?$/),
)

/**
 * Tokens as a compact text: the distance of each identifier from the one before it, with a balance other than 1 after a colon, in
 * hexadecimal digits.
 */
export function tokensText(tokens: Tokens): string {
  let before = 0n
  const texts: string[] = []
  for (const [tokenId, balance] of tokens) {
    const distance = (tokenId - before).toString(16)
    texts.push(balance === 1n ? distance : `${distance}:${balance.toString(16)}`)
    before = tokenId
  }
  return texts.join(' ')
}

/** The tokens in a text of {@link tokensForm}. */
export function tokensIn(text: string): Tokens {
  if (text === '') return []
  let tokenId = 0n
  return text.split(' ').map((token) => {
    const [distance, balance = '1'] = token.split(':')
    tokenId += BigInt(`0x${distance}`)
    return [tokenId, BigInt(`0x${balance}`)]
  })
}

/** Tokens after a change of balances. */
export function changedTokens(
  tokens: Tokens,
  balances: Iterable<readonly [bigint, bigint]>,
): Tokens {
  const held = new Map(tokens)
  for (const [tokenId, balance] of balances) {
    if (balance > 0n) held.set(tokenId, balance)
    else held.delete(tokenId)
  }
  return [...held].sort(byNumber)
}

/** The balances of a change with their token identifiers as numbers. */
export const balancesOf = ({ balances }: ListChange): [bigint, bigint][] =>
  [...balances].map(([tokenId, balance]) => [BigInt(tokenId), balance])

const byNumber = ([a]: readonly [bigint, bigint], [b]: readonly [bigint, bigint]): number =>
  a < b ? -1 : a > b ? 1 : 0

/** Tokens that are a part of a list, with their text. */
export interface TokenGroup {
  first: bigint
  count: number
  text: string
}

/** Divides tokens into parts of about the same size: none if there are no tokens. */
export function dividedTokens(tokens: Tokens): TokenGroup[] {
  const [first] = tokens
  if (!first) return []
  const text = tokensText(tokens)
  const count = tokens.length
  if (text.length <= maxPartBytes || count === 1) return [{ first: first[0], count, text }]
  const middle = count >> 1
  return [tokens.slice(0, middle), tokens.slice(middle)].flatMap(dividedTokens)
}

/** Whether one of some ranges contains a number between two. The calls of one function must be in the order of the numbers. */
export function wantedBetween(
  wanted: readonly TokenIds[],
): (first: bigint, last: bigint) => boolean {
  const ranges = wanted
    .map(({ fromTokenId, toTokenId }) => [BigInt(fromTokenId), BigInt(toTokenId)] as const)
    .sort(byNumber)
  let place = 0
  return (first, last) => {
    let range = ranges[place]
    while (range && range[1] < first) {
      place += 1
      range = ranges[place]
    }
    return range !== undefined && range[0] <= last
  }
}

export function wantedHoldings(tokens: Tokens, wanted: readonly TokenIds[]): Holdings {
  const isWanted = wantedBetween(wanted)
  const held: [TokenId, bigint][] = []
  for (const [tokenId, balance] of tokens) {
    if (isWanted(tokenId, tokenId)) held.push([tokenIdOf(tokenId), balance])
  }
  return new Map(held)
}

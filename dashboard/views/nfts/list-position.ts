import { compareTokenIds } from './token-element.ts'

/**
 * The cursor before a token identifier of a contract, in the form of D18, so that a list can begin in its middle:
 * `undefined` for the beginning of the contract.
 */
export function cursorBefore(chain: string, address: string, tokenId: string): string | undefined {
  if (compareTokenIds(tokenId, '0') === 0) return undefined
  const before = BigInt(tokenId) - 1n
  const text = `${chain}/${address}/${before}`
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * An element of a list of NFTs: a token identifier as decimal or `0x` hexadecimal text or as a bigint, a range
 * `a..b` with both ends included, or `*`, which is every NFT of the contract. A number is rejected, because
 * numbers lose digits above 2^53.
 */
export type TokenElement = string | bigint

/**
 * Returns the elements as the service reads them.
 * @throws {TypeError} names the first element that is neither text nor a bigint.
 */
export function tokenTexts(tokens: readonly TokenElement[]): string[] {
  if (!Array.isArray(tokens)) throw new TypeError('tokens must be an array')
  return tokens.map((element, index) => tokenText(element, `tokens[${index}]`))
}

/**
 * Returns one element as the service reads it.
 * @throws {TypeError} names the element by `place`.
 */
export function tokenText(element: TokenElement, place: string): string {
  if (typeof element === 'string') return element
  if (typeof element === 'bigint') return element.toString()
  const fault = `${place} must be text or a bigint, and is of type ${typeof element}`
  throw new TypeError(
    typeof element === 'number' ? `${fault}: numbers lose digits above 2^53` : fault,
  )
}

import { parseTokenId } from '../domain/allowlist/token-id.ts'
import { parseAddress } from '../domain/nft/address.ts'
import { isChain } from '../domain/nft/chain.ts'
import type { Nft } from '../domain/nft/nft.ts'

/**
 * The cursor of the allowlist (D18): the last NFT that was read, or the first NFT of the last range (D58). It is a
 * position in the order and does not name a product, so it can never reach the list of another product.
 */
export const writeListCursor = ({ chain, address, tokenId }: Nft): string =>
  Buffer.from([chain, address, tokenId].join('/')).toString('base64url')

/** Reads a cursor of the allowlist; `undefined` if it is not one that {@link writeListCursor} writes. */
export function readListCursor(cursor: string): Nft | undefined {
  const [chain = '', addressText = '', tokenIdText = ''] = Buffer.from(cursor, 'base64url')
    .toString()
    .split('/')
  const { address } = parseAddress(addressText)
  const tokenId = parseTokenId(tokenIdText)
  if (!isChain(chain) || !address || !tokenId) return undefined
  const nft = { chain, address, tokenId }
  // Decoding base64url ignores characters that do not belong to it.
  return writeListCursor(nft) === cursor ? nft : undefined
}

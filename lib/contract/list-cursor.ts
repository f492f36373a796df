import { addressFault, toAddress } from '../domain/address.ts'
import type { Nft } from '../domain/allowlist.ts'
import { isChain } from '../domain/chain.ts'
import { parseTokenId } from '../domain/token-id.ts'

/**
 * The cursor of the allowlist (D18): the last NFT that was read. It says where in the order to read
 * on, and nothing of whose list it is, so it can never reach another product's.
 */
export const writeListCursor = ({ chain, address, tokenId }: Nft): string =>
  Buffer.from([chain, address, tokenId].join('/')).toString('base64url')

/** Reads a cursor of the allowlist; `undefined` if it is not one that {@link writeListCursor} writes. */
export function readListCursor(cursor: string): Nft | undefined {
  const [chain = '', address = '', tokenIdText = ''] = Buffer.from(cursor, 'base64url')
    .toString()
    .split('/')
  const tokenId = parseTokenId(tokenIdText)
  if (!isChain(chain) || addressFault(address) || !tokenId) return undefined
  const nft = { chain, address: toAddress(address), tokenId }
  // Decoding base64url passes over what does not belong there.
  return writeListCursor(nft) === cursor ? nft : undefined
}

import { parseTokenId } from '../domain/allowlist/token-id.ts'
import { parseAddress } from '../domain/nft/address.ts'
import { isChain } from '../domain/nft/chain.ts'
import type { ContractKey, Nft } from '../domain/nft/nft.ts'

/**
 * The cursor of the allowlist (D18): the last NFT that was read, or the first NFT of the last range (D58). It is a
 * position in the order and does not name a product, so it can never reach the list of another product.
 */
export const writeListCursor = ({ chain, address, tokenId }: Nft): string =>
  Buffer.from([chain, address, tokenId].join('/')).toString('base64url')

/** Reads a cursor of the allowlist; `undefined` if it is not one that {@link writeListCursor} writes. */
export function readListCursor(cursor: string): Nft | undefined {
  const [contract, tokenIdText = ''] = partsOf(cursor)
  const tokenId = parseTokenId(tokenIdText)
  const nft = contract && tokenId && { ...contract, tokenId }
  // Decoding base64url ignores characters that do not belong to it.
  return nft && writeListCursor(nft) === cursor ? nft : undefined
}

/**
 * The cursor of the connected contracts (D37): the last contract that was read. As of the allowlist, it does not name a
 * product.
 */
export const writeContractCursor = ({ chain, address }: ContractKey): string =>
  Buffer.from([chain, address].join('/')).toString('base64url')

/** Reads such a cursor; `undefined` if it is not one that {@link writeContractCursor} writes. */
export function readContractCursor(cursor: string): ContractKey | undefined {
  const [contract] = partsOf(cursor)
  return contract && writeContractCursor(contract) === cursor ? contract : undefined
}

function partsOf(cursor: string): [contract: ContractKey | undefined, rest: string | undefined] {
  const [chain = '', text = '', rest] = Buffer.from(cursor, 'base64url').toString().split('/')
  const { address } = parseAddress(text)
  return [isChain(chain) && address ? { chain, address } : undefined, rest]
}

/**
 * The cursor of the events of a product (D49): the last event that was read. It works for the product of its event only
 * (D77).
 */
export const writeEventCursor = ({ eventId }: { eventId: string }): string =>
  Buffer.from(eventId).toString('base64url')

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads such a cursor; `undefined` if it is not one that {@link writeEventCursor} writes. */
export function readEventCursor(cursor: string): string | undefined {
  const eventId = Buffer.from(cursor, 'base64url').toString()
  // Decoding base64url ignores characters that do not belong to it.
  return uuidV7.test(eventId) && writeEventCursor({ eventId }) === cursor ? eventId : undefined
}

import { parseAddress } from '../domain/nft/address.ts'
import { isChain } from '../domain/nft/chain.ts'
import type { ContractKey } from '../domain/nft/nft.ts'

/**
 * The cursor of the connected contracts (D37): the last contract that was read. It is a position in the
 * order and does not name a product, so it can never reach the list of another product.
 */
export const writeContractCursor = ({ chain, address }: ContractKey): string =>
  Buffer.from([chain, address].join('/')).toString('base64url')

/** Reads such a cursor; `undefined` if it is not one that {@link writeContractCursor} writes. */
export function readContractCursor(cursor: string): ContractKey | undefined {
  const [chain = '', addressText = ''] = Buffer.from(cursor, 'base64url').toString().split('/')
  const { address } = parseAddress(addressText)
  if (!isChain(chain) || !address) return undefined
  const contract = { chain, address }
  // Decoding base64url ignores characters that do not belong to it.
  return writeContractCursor(contract) === cursor ? contract : undefined
}

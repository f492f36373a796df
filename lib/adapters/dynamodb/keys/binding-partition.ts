import {
  fromSortableTokenId,
  sortableTokenId,
  type TokenId,
} from '../../../domain/allowlist/token-id.ts'
import type { BindingId } from '../../../domain/nft/nft.ts'
import type { Key } from './key.ts'

export const bindingPartition = (bindingId: BindingId): string => `BINDING#${bindingId}`

/** The description of a contract, in the partition of its connection (D37). */
export const descriptionKey = (bindingId: BindingId): Key => ({
  pk: bindingPartition(bindingId),
  sk: 'DESCRIPTION',
})

const tokenPrefix = 'TOKEN#'

export const allowedKey = (bindingId: BindingId, tokenId: TokenId): Key => ({
  pk: bindingPartition(bindingId),
  sk: `${tokenPrefix}${sortableTokenId(tokenId)}`,
})

/** Whether an item of a binding is an allowed NFT. */
export const isAllowedKey = ({ sk }: Key): boolean => sk.startsWith(tokenPrefix)

/** A sort key before all token identifiers of a binding. */
export const beforeFirstTokenId = tokenPrefix

/** The token identifier in the sort key of an allowed NFT. */
export const tokenIdFromKey = (sk: string): TokenId =>
  fromSortableTokenId(sk.slice(tokenPrefix.length))

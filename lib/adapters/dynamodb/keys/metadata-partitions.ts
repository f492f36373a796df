import { fromSortableTokenId, sortableTokenId } from '../../../domain/allowlist/token-id.ts'
import { branded } from '../../../domain/branded.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { Nft } from '../../../domain/nft/nft.ts'
import type { Key } from './key.ts'

/** The kept metadata of a token: a partition of its own, so that a contract that everybody reads is spread. */
export const metadataKey = ({ chain, address, tokenId }: Nft): Key => ({
  pk: `META#${chain}#${address}#${tokenId}`,
  sk: 'META',
})

const duePartition = (chain: Chain): string => `METADUE#${chain}`

/** The note that the metadata of a token is due. The order of the keys is that of contracts and tokens. */
export const metadataDueKey = ({ chain, address, tokenId }: Nft): Key => ({
  pk: duePartition(chain),
  sk: `${address}#${sortableTokenId(tokenId)}`,
})

export const metadataDueOf = (chain: Chain) => ({ pk: duePartition(chain), prefix: '0x' })

/** The NFT in the sort key of a note. */
export function dueNftFromKey(chain: Chain, sk: string): Nft {
  const [address = '', digits = ''] = sk.split('#')
  return { chain, address: branded(address), tokenId: fromSortableTokenId(digits) }
}

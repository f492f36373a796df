import { compareTokenIds, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import { type Indexer, maxNftsPerCall } from '../../../lib/domain/ports/indexer.ts'
import type { Memory } from './memory.ts'

/**
 * An indexer whose contracts all have the NFTs with metadata at their source. The page key is the first token
 * identifier of its page.
 */
export function indexerOf({ cached, current, fetchedAt }: Memory): Indexer {
  const unknown: Metadata = { text: '{}', fault: 'not_available' }
  const mintedFrom = (from: TokenId) =>
    [...current.keys()].sort(compareTokenIds).filter((id) => compareTokenIds(id, from) >= 0)
  return {
    ownedNfts: async () => ({ nfts: [] }),
    balance: async () => 0n,
    prepare: () => undefined,
    contractNfts: async ({ pageKey = '0', limit }) => {
      const following = mintedFrom(pageKey as TokenId)
      const next = following[limit]
      return { tokenIds: following.slice(0, limit), ...(next !== undefined && { pageKey: next }) }
    },
    nftsFrom: async ({ from }) => {
      const following = mintedFrom(from)
      const next = following[maxNftsPerCall]
      const tokenIds = following.slice(0, maxNftsPerCall)
      return { tokenIds, ...(next !== undefined && { next }) }
    },
    metadata: async ({ contract: { chain, address }, tokenIds, fromSource }) =>
      tokenIds.map((tokenId) => {
        const metadata = (fromSource ? current : cached).get(tokenId) ?? unknown
        if (fromSource && !metadata.fault) {
          cached.set(tokenId, metadata)
          fetchedAt.set(tokenId, Date.now())
        }
        const at = fetchedAt.get(tokenId) ?? 0
        return { chain, address, tokenId, metadataLink: '', metadata, fetchedAt: at }
      }),
  }
}

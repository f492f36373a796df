import type { DescribedNft } from '../../../clients/typescript/src/types.ts'
import { type PagedList, usePagedList } from '../../shell/paged-list.ts'
import { useClient } from '../../shell/shell-context.ts'

export type NftPages = PagedList<DescribedNft>

/** Loads the allowlisted NFTs of a contract, from an identifier on if there is one. */
export function useNftPages(chain: string, address: string, from: string | undefined): NftPages {
  const client = useClient()
  return usePagedList(
    (cursor, signal) =>
      client.getNfts({ chain, contractAddress: address, limit: 100, cursor }, { signal }).page(),
    [client, chain, address],
    from === undefined ? undefined : cursorBefore(chain, address, from),
  )
}

/**
 * The cursor before a token identifier of a contract, in the form of D18, so that a list can begin in its middle:
 * `undefined` for the beginning of the contract.
 */
export function cursorBefore(chain: string, address: string, tokenId: string): string | undefined {
  if (tokenId === '0') return undefined
  const before = BigInt(tokenId) - 1n
  const text = `${chain}/${address}/${before}`
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

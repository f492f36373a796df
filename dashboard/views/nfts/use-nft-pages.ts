import { useEffect, useMemo, useState } from 'preact/hooks'
import { useClient } from '../../shell/shell-context.ts'
import { cursorBefore, NftPages } from './nft-pages.ts'

const pageSize = 100

/** Loads the allowlisted NFTs of a contract, from an identifier on if there is one, and renders again after changes. */
export function useNftPages(chain: string, address: string, from: string | undefined): NftPages {
  const client = useClient()
  const [, render] = useState(0)
  const pages = useMemo(() => {
    const query = { chain, contractAddress: address, limit: pageSize } as const
    return new NftPages(
      (cursor, signal) => client.getNfts({ ...query, cursor }, { signal }).page(),
      from === undefined ? undefined : cursorBefore(chain, address, from),
      () => render((count) => count + 1),
    )
  }, [client, chain, address, from])
  useEffect(() => {
    void pages.reload()
    return () => pages.close()
  }, [pages])
  return pages
}

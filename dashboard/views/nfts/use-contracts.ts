import { useEffect, useRef } from 'preact/hooks'
import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { usePagedList } from '../../shell/paged-list.ts'
import { useClient } from '../../shell/shell-context.ts'

export type Contracts = ReturnType<typeof useContracts>

/** Loads the contracts of the product, at most 500 (D16). The list grows while it is loaded, and stays while it is loaded again. */
export function useContracts() {
  const client = useClient()
  const loaded = usePagedList<ConnectedContract>(
    (cursor, signal) => client.getContracts({ cursor }, { signal }).page(),
    [client],
  )
  const { entries, isComplete, error } = loaded.state
  useEffect(() => void loaded.loadMore())
  // A shorter part would take contracts off the page that are still there.
  const kept = useRef(entries)
  if (isComplete || entries.length > kept.current.length) kept.current = entries
  const list = kept.current
  return {
    list,
    isLoading: !isComplete && error === undefined,
    error,
    reload: () => void loaded.reload(),
    /** Whether a contract is connected; also true as long as the list is not complete. */
    mayHave: (chain: string, address: string) =>
      !isComplete || list.some((each) => each.chain === chain && each.address === address),
  }
}

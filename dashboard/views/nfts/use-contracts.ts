import { useCallback, useEffect, useState } from 'preact/hooks'
import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { useClient } from '../../shell/shell-context.ts'

/** The contracts of the product: at most 500 (D16), page by page. */
export interface Contracts {
  list: readonly ConnectedContract[]
  isLoading: boolean
  error: unknown
  reload(): void
  /** Whether a contract is connected; also true as long as the list is not complete. */
  mayHave(chain: string, address: string): boolean
}

type State = Pick<Contracts, 'list' | 'isLoading' | 'error'>

/** Loads the contracts of the product. The list grows while it is loaded, and stays while it is loaded again. */
export function useContracts(): Contracts {
  const client = useClient()
  const [state, setState] = useState<State>({ list: [], isLoading: true, error: undefined })
  const [run, setRun] = useState(0)
  // Each run loads the list again.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const list: ConnectedContract[] = []
      for await (const { data, nextCursor } of client.getContracts({}, { signal }).byPage()) {
        list.push(...data)
        const isLast = nextCursor === undefined
        setState((before) => ({
          // A shorter part would take contracts off the page that are still there.
          list: isLast || list.length >= before.list.length ? [...list] : before.list,
          isLoading: !isLast,
          error: undefined,
        }))
      }
    }
    setState((before) => ({ ...before, isLoading: true, error: undefined }))
    load().catch(
      (error: unknown) =>
        signal.aborted || setState((before) => ({ ...before, isLoading: false, error })),
    )
    return () => controller.abort()
  }, [client, run])
  const reload = useCallback(() => setRun((count) => count + 1), [])
  const mayHave = (chain: string, address: string) =>
    state.isLoading ||
    state.error !== undefined ||
    state.list.some((contract) => contract.chain === chain && contract.address === address)
  return { ...state, reload, mayHave }
}

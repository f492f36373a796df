import type { IndexerServer } from '../../local/indexer/indexer-server.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'

/** A proxy of an indexer that can hold answers. */
export interface HoldingProxy {
  url: string
  /**
   * Holds the answers of a network to `eth_getLogs` from now on. Resolves when the first of them is held, with the function
   * that sends them all.
   */
  holdLogs(network: string): Promise<() => void>
}

/** Starts a proxy of an indexer, which ends with the run. */
export async function holdingProxy(
  { url: target }: Pick<IndexerServer, 'url'>,
  cleanup: AsyncDisposableStack,
): Promise<HoldingProxy> {
  let held: { network: string; first(): void; released: Promise<void> } | undefined
  const proxy = await startFaultProxy(
    {
      target,
      async onResponse({ path, body }) {
        if (!held || body?.method !== 'eth_getLogs' || !path.includes(held.network))
          return undefined
        held.first()
        await held.released
        return undefined
      },
    },
    (end) => cleanup.defer(end),
  )
  return {
    url: proxy.url,
    async holdLogs(network) {
      const first = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held = { network, first: first.resolve, released: released.promise }
      await first.promise
      return () => {
        held = undefined
        released.resolve()
      }
    },
  }
}

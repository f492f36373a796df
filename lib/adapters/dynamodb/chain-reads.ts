import type { Chain } from '../../domain/nft/chain.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { updateItem } from './item-writes.ts'
import { readersKey } from './keys/follow-partition.ts'
import type { Table } from './table.ts'

/** The time in which a read of a chain is not noted again, in milliseconds. */
const notedMilliseconds = 60_000

/**
 * Returns a function that notes beside the request that a chain is read, by which the follower polls it (D152): in the item that the
 * readers of the chain share, and only if no read of the last minute was noted. `readAt`: when the latest read was that is noted.
 */
export function chainReads(table: Table): (chain: Chain, readAt?: number) => void {
  const noted = new Map<Chain, number>()
  return (chain, readAt = 0) => {
    const now = Date.now()
    const latest = now - notedMilliseconds
    if (Math.max(readAt, noted.get(chain) ?? 0) > latest) return
    noted.set(chain, now)
    const update = {
      set: { askedAt: now },
      conditions: [
        ['askedAt', 'absent or <=', latest],
        // An item that was deleted meanwhile does not come back as one without an end.
        ['step', '>', -1],
      ],
    } as const
    downstreamCalls.beside(updateItem(table, readersKey(chain), update))
  }
}

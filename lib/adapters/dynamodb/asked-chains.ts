import type { Chain } from '../../domain/nft/chain.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { updateItem } from './item-writes.ts'
import { readersKey } from './keys/follow-partition.ts'
import type { Table } from './table.ts'

/** The time in which a read of a chain is not noted again, in milliseconds. */
const notedMilliseconds = 60_000

/** Notes of the chains whose kept contracts are read, by which the follower polls them (D152). */
export interface AskedChains {
  /** Notes beside the request that a chain is read, unless a read in the last minute was noted. `askedAt`: the latest one that was. */
  note(chain: Chain, askedAt: number | undefined): void
}

/** The notes, in the items that the readers of the chains share. Each container writes one at most once a minute. */
export function askedChains(table: Table): AskedChains {
  const written = new Map<Chain, number>()
  return {
    note(chain, askedAt = 0) {
      const now = Date.now()
      const latest = now - notedMilliseconds
      if (Math.max(askedAt, written.get(chain) ?? 0) > latest) return
      written.set(chain, now)
      const update = {
        set: { askedAt: now },
        conditions: [
          ['askedAt', 'absent or <=', latest],
          // An item that was deleted meanwhile does not come back as one without an end.
          ['step', '>', -1],
        ],
      } as const
      downstreamCalls.beside(updateItem(table, readersKey(chain), update))
    },
  }
}

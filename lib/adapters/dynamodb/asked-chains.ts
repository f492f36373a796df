import type { Chain } from '../../domain/nft/chain.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import { followKey } from './keys/follow-partition.ts'
import type { Table } from './table.ts'

/** The time in which a read of a chain is not noted again, in milliseconds. */
const notedMilliseconds = 60_000

/** What a read knows of the position of a chain. */
interface AskedPosition {
  distrustedBefore: number
  askedAt?: number | undefined
}

/** Notes of the chains that are read, by which the follower polls them (D89). */
export interface AskedChains {
  /** Notes beside the request that a chain is read, unless a read in the last minute was noted. */
  note(chain: Chain, position: AskedPosition): void
}

/** The notes, in the positions of the chains. Each container writes one at most once a minute. */
export function askedChains({ client, name: TableName }: Table): AskedChains {
  const written = new Map<Chain, number>()
  return {
    note(chain, { distrustedBefore, askedAt = 0 }) {
      const now = Date.now()
      const latest = now - notedMilliseconds
      if (Math.max(askedAt, written.get(chain) ?? 0) > latest) return
      written.set(chain, now)
      const update = fieldUpdate({
        set: { askedAt: now },
        conditions: [
          ['askedAt', 'absent or <=', latest],
          // A position that was deleted meanwhile does not come back as an item without an end.
          ['distrustedBefore', '=', distrustedBefore],
        ],
      })
      const command = new UpdateCommand({ TableName, Key: followKey(chain), ...update })
      downstreamCalls.beside(unlessConditionFails(client.send(command)))
    },
  }
}

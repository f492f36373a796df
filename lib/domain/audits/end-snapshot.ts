import { ServiceUnavailable } from '../failures.ts'
import type { SnapshotEnd } from '../holdings/kept-contract.ts'
import type { KeptContracts, SnapshotKey } from '../ports/kept-contracts.ts'

export interface EndPorts {
  keptContracts: Pick<KeptContracts, 'contract' | 'write'>
  /** The time, in milliseconds since 1970. */
  now(): number
}

/** How often the item is written that the follower writes, too. */
const maxTries = 5

/**
 * Ends a snapshot: readers ask the indexer from now on. `isRepeated`: the contract's snapshot before it has ended for the same reason.
 * `undefined`: the snapshot is not in use any more, and nothing was changed. Throws ServiceUnavailable, also if the item
 * is another one with each try.
 */
export async function endSnapshot(
  { chain, address, id }: SnapshotKey,
  reason: SnapshotEnd,
  { keptContracts, now }: EndPorts,
): Promise<{ isRepeated: boolean } | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const item = await keptContracts.contract({ chain, address })
    if (item?.snapshot?.id !== id) return undefined
    const before = item.ended?.reason
    const isWritten = await keptContracts.write(chain, {
      ...item,
      version: item.version + 1,
      snapshot: undefined,
      // A log that can lack an event begins anew.
      log: item.log && { standard: item.log.standard },
      ended: { reason, at: now() },
    })
    if (isWritten) return { isRepeated: before === reason }
  }
  throw new ServiceUnavailable('the item of a kept contract changes with each try')
}

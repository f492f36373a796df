import type { KeptContract, SnapshotEnd, SnapshotId } from '../holdings/kept-contract.ts'
import { changeContract } from '../keeping/change-contract.ts'
import type { KeptContracts, SnapshotKey } from '../ports/kept-contracts.ts'

export interface EndPorts {
  keptContracts: Pick<KeptContracts, 'contract' | 'write'>
  /** In milliseconds since 1970. */
  now(): number
}

/** The ends in which the chain says something else than a snapshot. */
type Doubt = 'audit' | 'secondLook'
const doubts: readonly (SnapshotEnd | undefined)[] = ['audit', 'secondLook'] satisfies Doubt[]

/** How a snapshot has ended for a reason; `undefined`: it has not. So who repeats what ended it tells the same of it. */
export const endedBefore = (
  { ended }: Pick<KeptContract, 'ended'>,
  id: SnapshotId,
  reason: Doubt,
): { isRepeated: boolean } | undefined =>
  ended?.id === id && ended.reason === reason
    ? { isRepeated: ended.isRepeated === true }
    : undefined

/**
 * Ends a snapshot, if that was not done before: readers ask the indexer from now on. `isRepeated`: the contract's snapshot before it has
 * ended by a doubt, too. `undefined`: the snapshot is not in use any more, and nothing was changed. Throws ServiceUnavailable, also if the
 * item is another one with each try.
 */
export async function endSnapshot(
  { chain, address, id }: SnapshotKey,
  reason: Doubt,
  { keptContracts, now }: EndPorts,
): Promise<{ isRepeated: boolean } | undefined> {
  const changesOf = ({ snapshot, log, ended }: KeptContract) =>
    snapshot?.id === id
      ? {
          snapshot: undefined,
          // A log that can lack an event begins anew.
          log: log && { standard: log.standard },
          ended: { reason, at: now(), id, isRepeated: doubts.includes(ended?.reason) },
        }
      : undefined
  const { item } = await changeContract({ chain, address }, changesOf, keptContracts)
  return item && endedBefore(item, id, reason)
}

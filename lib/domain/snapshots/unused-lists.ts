import type { KeptContract, SnapshotId } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import type { KeptContracts, SnapshotKey } from '../ports/kept-contracts.ts'
import type { SnapshotAttempts, SnapshotLists } from '../ports/snapshot-attempts.ts'
import type { SnapshotAttempt } from './snapshot-attempt.ts'

/** How long nothing has used lists that are deleted, in milliseconds: readers and writers that know an older state are long gone. */
const hour = 3_600_000

interface UnusedListsPorts {
  snapshotLists: Pick<SnapshotLists, 'all' | 'markUnused'>
  attempts: Pick<SnapshotAttempts, 'all'>
  keptContracts: Pick<KeptContracts, 'contracts'>
}

/**
 * The lists of a chain that nothing has used for an hour, so that they can be deleted: neither the snapshot of a contract, nor a prepared one, nor
 * a pass of an attempt that can still become one. Notes since when others are unused. `now`: in milliseconds since 1970. Throws
 * ServiceUnavailable.
 */
export async function unusedLists(
  chain: Chain,
  { snapshotLists, attempts, keptContracts }: UnusedListsPorts,
  now: number,
  unusedMilliseconds = hour,
): Promise<SnapshotKey[]> {
  // In this order: lists are registered for an attempt, and an attempt ends when the contract has its lists.
  const registered = await snapshotLists.all(chain)
  const atWork = await attempts.all(chain)
  const contracts = await keptContracts.contracts(chain)
  const used = new Map(
    contracts.map((item) => [item.address, usedBy(item, atWork.get(item.address))]),
  )
  const unused: SnapshotKey[] = []
  for (const { address, id, unusedSince } of registered) {
    const snapshot = { chain, address, id }
    const isUsed = used.get(address)?.includes(id) ?? false
    if (isUsed !== (unusedSince === undefined))
      await snapshotLists.markUnused(snapshot, isUsed ? undefined : now)
    if (!isUsed && unusedSince !== undefined && now - unusedSince >= unusedMilliseconds)
      unused.push(snapshot)
  }
  return unused
}

/** The lists that a contract uses, or can come to use. Without a log, no attempt becomes a snapshot. */
const usedBy = (
  { snapshot, prepared, log }: KeptContract,
  attempt: SnapshotAttempt | undefined,
): (SnapshotId | undefined)[] => [
  ...[snapshot?.id, prepared?.id],
  ...(log ? [attempt?.first.id, attempt?.second?.id] : []),
]

import type { SnapshotId } from '../holdings/kept-contract.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { FollowNotes } from '../ports/follow-notes.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import type { Deadline } from '../time-budget.ts'
import { type Compared, type Look, type LookPorts, lookAt } from './audit-look.ts'
import { auditSample, pairsFrom, type SamplePorts, type SampleQuery } from './audit-sample.ts'
import { type EndPorts, endedBefore, endSnapshot } from './end-snapshot.ts'
import { auditedPlace } from './held-at.ts'

/** Where a snapshot differs from the chain, if another look at it says so again. It stays the same as JSON. */
export interface Suspicion extends Compared {
  id: SnapshotId
  block: number
}

type Audit =
  /** The snapshot is not in use, or another one is by now. */
  | { outcome: 'nothing' }
  | (AuditFindings & { outcome: 'suspicion'; suspicion: Suspicion })
  /**
   * Nothing differs. `unproven`: the lists have no token, although the indexer lists NFTs, so that this says nothing of
   * the snapshot.
   */
  | (AuditFindings & { outcome: 'agrees' | 'unproven' })

interface AuditFindings {
  checked: Look['checked']
  /** Where the next audit begins in the indexer's list of NFTs; absent: at its beginning. */
  nftsPageKey?: string | undefined
}

/** What another look at a suspicion has found. */
export type Confirmation =
  /** The snapshot is not in use any more, or what was suspected is right. */
  | { outcome: 'nothing' | 'agrees' }
  /** There is no later block yet, or no list of that block: to be looked at again. */
  | { outcome: 'suspicion'; suspicion: Suspicion }
  /** The snapshot has ended, with this try or an earlier one. `isRepeated`: see endSnapshot. */
  | { outcome: 'difference'; difference: Compared; isRepeated: boolean }

export interface AuditPorts extends EndPorts, LookPorts, SamplePorts {
  followNotes: Pick<FollowNotes, 'position'>
  keptContracts: Pick<KeptContracts, 'contract' | 'lists' | 'write'>
}

/**
 * Compares a sample of what is kept of a contract with what the contract says, both at the block up to which its events have settled.
 * The indexer only names a part of what is compared. Ends nothing: what differs is to be confirmed a poll later. Throws the failures of
 * the indexer, ServiceUnavailable, and IndexerUnavailable if a node is behind.
 */
export async function auditHoldings(
  contract: ContractKey,
  query: SampleQuery,
  ports: AuditPorts,
  deadline: Deadline,
): Promise<Audit> {
  const before = await auditedPlace(contract, ports)
  if (!before) return { outcome: 'nothing' }
  const { nftsPageKey, ...sample } = await auditSample(before, query, ports, deadline)
  // The sample can have taken long. Lists are compared at the block of an item that was read just before.
  const place = await auditedPlace(contract, ports)
  if (place?.snapshot.id !== before.snapshot.id) return { outcome: 'nothing' }
  const pairsIn = (held: Parameters<typeof pairsFrom>[0]) => pairsFrom(held, sample, query.random)
  const look = await lookAt(place, { ...sample, pairsIn }, ports, deadline)
  const { block, checked, differing } = look
  const findings = { checked, nftsPageKey }
  if (hasAny(differing)) {
    const suspicion = { id: place.snapshot.id, block, ...differing }
    return { outcome: 'suspicion', suspicion, ...findings }
  }
  const isUnproven =
    look.isEmpty && place.snapshot.standard === 'ERC1155' && sample.tokenIds.length > 0
  return { outcome: isUnproven ? 'unproven' : 'agrees', ...findings }
}

/**
 * Looks again, at a later block, at what has differed, and ends the snapshot if some of it still does. Throws as
 * {@link auditHoldings} does.
 */
export async function confirmSuspicion(
  contract: ContractKey,
  suspicion: Suspicion,
  ports: AuditPorts,
  deadline: Deadline,
): Promise<Confirmation> {
  const { id, block, wallets, pairs } = suspicion
  const confirmed = (
    ended: { isRepeated: boolean } | undefined,
    difference: Compared,
  ): Confirmation =>
    ended ? { outcome: 'difference', difference, ...ended } : { outcome: 'nothing' }
  const place = await auditedPlace(contract, ports)
  if (place?.snapshot.id !== id) {
    // An earlier try of the same look, which has failed later, can have ended it. Without a position, nothing is ended here.
    const item = await ports.keptContracts.contract(contract)
    return confirmed(item && endedBefore(item, id, 'audit'), { wallets, pairs })
  }
  if (place.upTo <= block) return { outcome: 'suspicion', suspicion }
  const look = await lookAt(place, { wallets, pairs, tokenIds: [] }, ports, deadline)
  if (hasAny(look.differing)) {
    const ended = await endSnapshot({ ...contract, id }, 'audit', ports)
    return confirmed(ended, look.differing)
  }
  return look.isAhead
    ? { outcome: 'suspicion', suspicion: { ...suspicion, block: look.block } }
    : { outcome: 'agrees' }
}

const hasAny = ({ wallets, pairs }: Compared): boolean => wallets.length + pairs.length > 0

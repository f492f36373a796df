import type { Address } from '../nft/address.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { ContractChange, FollowedContract } from '../ports/follow-notes.ts'

/** The time for which a contract with too many events is not followed, in milliseconds. */
const suspensionMilliseconds = 3_600_000

/** Whether a step asks for the events of a contract. */
export const isFollowable = (
  { leasedUntil, suspendedUntil = 0 }: FollowedContract,
  now: number,
): boolean => leasedUntil > now && suspendedUntil <= now

/** What a step has found out about the contracts. */
export interface StepFindings {
  now: number
  /** The first block that it has read. */
  first: HashedBlock
  suspended: ReadonlySet<Address>
  /** Whether the contracts are followed from `first` on, whatever was noted of them before. */
  isAnew: boolean
}

/** The changes that a step notes of the contracts. */
export function changesOf(
  contracts: readonly FollowedContract[],
  { now, first, suspended, isAnew }: StepFindings,
): ContractChange[] {
  const since = { number: first.number, at: first.at }
  // Readers also rely neither on the last hour of a lease nor on what is older than `distrustedBefore` (D65), so a contract
  // that is not changed here in time misleads none of them.
  return contracts.flatMap((from): ContractChange[] => {
    if (suspended.has(from.address)) return [{ from, suspendedUntil: now + suspensionMilliseconds }]
    const isFollowed = from.since !== undefined
    if (isFollowable(from, now)) return isFollowed && !isAnew ? [] : [{ from, since }]
    return isFollowed ? [{ from, suspendedUntil: from.suspendedUntil }] : []
  })
}

import type { StepKeeping } from '../keeping/step-keeping.ts'
import type { Address } from '../nft/address.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { FollowedContract } from '../ports/follow-notes.ts'
import type { RangeRead, RangeReader } from './chain-range.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { isSuspended, isWatched } from './suspension.ts'

/** Whether a step notes the events of a contract for the readers that lease it. */
export const isFollowable = (contract: FollowedContract, now: number): boolean =>
  contract.leasedUntil > now && !isSuspended(contract, now)

/** Whether a step logs the events of a contract. */
const isLoggable = (contract: FollowedContract, now: number): boolean =>
  isWatched(contract, now) && !isSuspended(contract, now)

export const addressesOf = (contracts: readonly FollowedContract[]): Set<Address> =>
  new Set(contracts.map(({ address }) => address))

/** The contracts whose events a step notes for readers, and those whose events it logs. */
export interface AskedContracts {
  leased: ReadonlySet<Address>
  watched: ReadonlySet<Address>
  all: ReadonlySet<Address>
}

/** The contracts that a step asks about. */
export function askedContracts(
  contracts: readonly FollowedContract[],
  now: number,
): AskedContracts {
  const leased = addressesOf(contracts.filter((each) => isFollowable(each, now)))
  const watched = addressesOf(contracts.filter((each) => isLoggable(each, now)))
  return { leased, watched, all: new Set([...leased, ...watched]) }
}

/** The question for the events of a step. */
export function rangeOf(
  { leased, watched, all }: AskedContracts,
  { first, to }: ChosenBlocks,
  { addresses: kept, from }: Pick<StepKeeping, 'addresses' | 'from'> = {
    addresses: [],
    from: first.number,
  },
): Parameters<RangeReader['read']>[0] {
  return {
    contracts: [...new Set([...all, ...kept])],
    from,
    to: to.number,
    detailed: new Set([...watched, ...kept]),
    isLeftFirst: (contract: Address) => !leased.has(contract),
  }
}

/** What was read, with the events from a block on. */
export const eventsFrom = (first: HashedBlock, read: RangeRead): RangeRead => ({
  ...read,
  events: read.events.filter(({ block }) => block.number >= first.number),
})

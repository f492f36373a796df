import type { StepKeeping } from '../keeping/step-keeping.ts'
import type { Address } from '../nft/address.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { FollowedContract } from '../ports/follow-notes.ts'
import type { RangeRead, RangeReader } from './chain-range.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { isSuspended, isWatched } from './suspension.ts'

export const addressesOf = (contracts: readonly FollowedContract[]): Set<Address> =>
  new Set(contracts.map(({ address }) => address))

/** The contracts whose events a step logs. */
export const loggedContracts = (
  contracts: readonly FollowedContract[],
  now: number,
): ReadonlySet<Address> =>
  addressesOf(contracts.filter((each) => isWatched(each, now) && !isSuspended(each, now)))

/** The question for the events of a step. A contract that is watched only is left out before one that is kept. */
export function rangeOf(
  watched: ReadonlySet<Address>,
  { first, to }: ChosenBlocks,
  { addresses: kept, from }: Pick<StepKeeping, 'addresses' | 'from'> = {
    addresses: [],
    from: first.number,
  },
): Parameters<RangeReader['read']>[0] {
  const contracts = [...new Set([...watched, ...kept])]
  const ofKept = new Set(kept)
  return {
    ...{ contracts, from, to: to.number, detailed: new Set(contracts) },
    isLeftFirst: (contract: Address) => !ofKept.has(contract),
  }
}

/** What was read, with the events from a block on. */
export const eventsFrom = (first: HashedBlock, read: RangeRead): RangeRead => ({
  ...read,
  events: read.events.filter(({ block }) => block.number >= first.number),
})

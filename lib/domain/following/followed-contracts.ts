import type { KeptContract } from '../holdings/kept-contract.ts'
import type { Address } from '../nft/address.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { HashedBlock } from '../ports/chain-events.ts'
import type { FollowedContract } from '../ports/follow-notes.ts'
import type { RangeRead, RangeReader } from './chain-range.ts'
import type { ChosenBlocks } from './choose-blocks.ts'

/** The time for which a suspended contract is not followed, in milliseconds. */
export const suspensionMilliseconds = 3_600_000

/** Whether the events of a contract are logged, unless it is suspended. */
export const isWatched = ({ watchedUntil }: FollowedContract, now: number): boolean =>
  watchedUntil > now

/** Whether a contract is not followed, because it had too many events a short time ago, or the source refused them. */
export const isSuspended = ({ suspendedUntil = 0 }: FollowedContract, now: number): boolean =>
  suspendedUntil > now

/** Why a contract is suspended, or was before it is followed again. */
export const suspensionOf = ({
  suspendedUntil,
  refusedUntil,
}: FollowedContract): SuspensionReason =>
  refusedUntil !== undefined && refusedUntil === suspendedUntil ? 'refused' : 'busy'

/** The contracts that a step suspends: those without their events, and those with too many in a minute. */
export function suspensions(
  { events, without }: RangeRead,
  { first, to }: ChosenBlocks,
  logsPerMinute: number,
): Map<Address, SuspensionReason> {
  const minutes = Math.max(1, (to.at - first.at) / 60_000)
  const counts = Map.groupBy(events, ({ contract }) => contract)
  const busy = [...counts].filter(([, { length }]) => length > logsPerMinute * minutes)
  return new Map([...busy.map(([contract]) => [contract, 'busy'] as const), ...without])
}

/** Why contracts are suspended when a step begins: those whose events are logged, or were, and those that are kept. */
export const suspendedBefore = (
  contracts: readonly FollowedContract[],
  kept: readonly KeptContract[],
  now: number,
): Map<Address, SuspensionReason> =>
  new Map([
    ...kept.flatMap((contract) => {
      const reason = keptSuspension(contract, now)
      return reason ? [[contract.address, reason] as const] : []
    }),
    ...contracts
      .filter((each) => isSuspended(each, now))
      .map((each) => [each.address, suspensionOf(each)] as const),
  ])

function keptSuspension({ ended }: KeptContract, now: number): SuspensionReason | undefined {
  const { reason, at } = ended ?? {}
  if (reason !== 'busy' && reason !== 'refused') return undefined
  return at !== undefined && now - at < suspensionMilliseconds ? reason : undefined
}

/** How many contracts that are watched or kept are suspended after a step, by the reason. */
export function countsOf(
  suspended: ReadonlyMap<Address, SuspensionReason>,
  contracts: readonly FollowedContract[],
  kept: readonly KeptContract[],
  now: number,
): Record<SuspensionReason, number> {
  const wanted = new Set(
    [...contracts.filter((each) => isWatched(each, now)), ...kept].map(({ address }) => address),
  )
  const reasons = [...suspended].flatMap(([address, reason]) =>
    wanted.has(address) ? [reason] : [],
  )
  const refused = reasons.filter((reason) => reason === 'refused').length
  return { refused, busy: reasons.length - refused }
}

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
  { addresses: kept, from }: { addresses: readonly Address[]; from: number } = {
    addresses: [],
    from: first.number,
  },
): Parameters<RangeReader['read']>[0] {
  const contracts = [...new Set([...watched, ...kept])]
  const ofKept = new Set(kept)
  return {
    ...{ contracts, from, to: to.number },
    isLeftFirst: (contract: Address) => !ofKept.has(contract),
  }
}

export const eventsFrom = (first: HashedBlock, read: RangeRead): RangeRead => ({
  ...read,
  events: read.events.filter(({ block }) => block.number >= first.number),
})

import type { Address } from '../nft/address.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { FollowedContract } from '../ports/follow-notes.ts'
import type { RangeRead } from './chain-range.ts'
import type { ChosenBlocks } from './choose-blocks.ts'

/** Whether the events of a contract are logged, unless it is suspended. */
export const isWatched = ({ watchedUntil = 0 }: FollowedContract, now: number): boolean =>
  watchedUntil > now

/** Whether a contract is not followed, because it had too many events a short time ago, or the source refused them. */
export const isSuspended = (
  { suspendedUntil = 0 }: Pick<FollowedContract, 'suspendedUntil'>,
  now: number,
): boolean => suspendedUntil > now

/** Why a contract is suspended, or was before it is followed again. */
export const suspensionOf = ({
  suspendedUntil,
  refusedUntil,
}: Pick<FollowedContract, 'suspendedUntil' | 'refusedUntil'>): SuspensionReason =>
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

/** How many of the contracts that a reader leases or that are watched are suspended after a step, by the reason. */
export function countsOf(
  contracts: readonly FollowedContract[],
  suspended: ReadonlyMap<Address, SuspensionReason>,
  now: number,
): Record<SuspensionReason, number> {
  const still = contracts
    .filter((each) => isSuspended(each, now) && (each.leasedUntil > now || isWatched(each, now)))
    .map(suspensionOf)
  const reasons = [...suspended.values(), ...still]
  const refused = reasons.filter((reason) => reason === 'refused').length
  return { refused, busy: reasons.length - refused }
}

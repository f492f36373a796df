import { isOver, isRefused, type KeptContract } from '../holdings/kept-contract.ts'
import type { ContractCare } from '../ports/contract-care.ts'

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day

/** The age at which a snapshot that is in use is taken anew. */
const renewedAfter = 30 * day

/** The most snapshots that are handed over, and attempts that are begun, in a day and in a week (D153). */
const maxInDay = 1
const maxInWeek = 3
const maxAttemptsInDay = 3
const maxAttemptsInWeek = 6

/** Whether the snapshot of a contract is to be taken, or to be gone on with. `now`: in milliseconds since 1970. */
export function isSnapshotDue(item: KeptContract, care: ContractCare, now: number): boolean {
  const { snapshot, prepared, ended } = item
  if (prepared || isHeldBack(item, care, now)) return false
  if (!snapshot && ended?.reason === 'letGo') return false
  if (snapshot && now - snapshot.at < renewedAfter) return false
  const isOften =
    countSince(care.handedOver, now - day) >= maxInDay ||
    countSince(care.handedOver, now - week) >= maxInWeek ||
    (!care.isBegun &&
      (countSince(care.attempts, now - day) >= maxAttemptsInDay ||
        countSince(care.attempts, now - week) >= maxAttemptsInWeek))
  return !isOften
}

/** Whether the end of the latest snapshot lets no new one be taken yet. */
function isHeldBack(item: KeptContract, { doubtedAt }: ContractCare, now: number): boolean {
  const { ended } = item
  const isSuspended = ended?.reason === 'busy' || ended?.reason === 'refused'
  const isDoubted = doubtedAt !== undefined && now - doubtedAt < week
  return isRefused(item, now) || isDoubted || (isSuspended && now - ended.at < hour)
}

const countSince = (moments: readonly number[], from: number): number =>
  moments.filter((moment) => moment > from).length

/** Whether a contract is to be audited: when a snapshot has begun to be used, and then daily (D154). */
export const isAuditDue = (
  { snapshot }: KeptContract,
  { audited }: ContractCare,
  now: number,
): boolean =>
  snapshot !== undefined &&
  !isOver(snapshot, now) &&
  (audited?.id !== snapshot.id || now - audited.at >= day)

/** The moments of the last week, with another one. */
export const withMoment = (moments: readonly number[], moment: number, now: number): number[] => [
  ...moments.filter((each) => each > now - week && each !== moment),
  moment,
]

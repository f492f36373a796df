import { isOver, isRefused, type KeptContract } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import { type CareWork, type ChainCare, type ContractCare, noCare } from '../ports/contract-care.ts'
import type { SnapshotKey } from '../ports/kept-contracts.ts'
import type { UpkeepWork } from '../work/work-item.ts'

/** How long an item is at work or waits before it counts as lost, in milliseconds. */
export const lostAfter = 10 * 60_000

/** The time between two items of work that begins anew with each, in milliseconds. */
const [auditAgainAfter, listsAgainAfter, metadataAgainAfter] = [15 * 60_000, 60_000, 60_000]

/** Work that is due: the item that is sent, if the moment before which it is not sent is still as it was read, and the new moment. */
export interface DueWork {
  work: CareWork
  of: { chain: Chain } & Partial<ContractKey>
  before: number
  until: number
  item: UpkeepWork
}

/** What is known of a chain and of the contracts that are kept on it, with the lists that are to be deleted. */
export interface KeptChain {
  chain: Chain
  items: readonly KeptContract[]
  care: ChainCare
  lists: readonly SnapshotKey[]
}

/** What is due for the kept contracts of a chain at a moment (D153, D154, D155), but for second looks. */
export function dueWork({ chain, items, care, lists }: KeptChain, now: number): DueWork[] {
  const careOf = (address: ContractKey['address']) => care.contracts.get(address) ?? noCare
  const due: DueWork[] = []
  const add = (
    work: CareWork,
    of: DueWork['of'],
    before: number,
    after: number,
    item: UpkeepWork,
  ) => due.push({ work, of, before, until: now + after, item })
  for (const item of items) {
    const of: ContractKey = { chain, address: item.address }
    const known = careOf(item.address)
    const snapshot: UpkeepWork = { kind: 'snapshot', contract: of, turn: now + lostAfter }
    if (isSnapshotDue(item, known, now))
      add('snapshot', of, known.snapshotFrom, lostAfter, snapshot)
    if (isAuditDue(item, known, now))
      add('audit', of, known.auditFrom, auditAgainAfter, { kind: 'audit', contract: of })
  }
  // Those of a contract one after the other.
  for (const snapshot of firstOfEach(lists)) {
    const { listsFrom } = careOf(snapshot.address)
    const of = { chain, address: snapshot.address }
    add('lists', of, listsFrom, listsAgainAfter, { kind: 'deleteLists', snapshot })
  }
  if (items.length > 0)
    add('metadata', { chain }, care.metadataFrom, metadataAgainAfter, {
      kind: 'dueMetadata',
      chain,
    })
  return due.filter(({ before }) => before <= now)
}

const firstOfEach = (lists: readonly SnapshotKey[]): SnapshotKey[] => [
  ...new Map(lists.toReversed().map((snapshot) => [snapshot.address, snapshot])).values(),
]

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

function isHeldBack(item: KeptContract, { doubtedAt }: ContractCare, now: number): boolean {
  const { ended } = item
  const isSuspended = ended?.reason === 'busy' || ended?.reason === 'refused'
  const isDoubted = doubtedAt !== undefined && now - doubtedAt < week
  return isRefused(item, now) || isDoubted || (isSuspended && now - ended.at < hour)
}

const countSince = (moments: readonly number[], from: number): number =>
  moments.filter((moment) => moment > from).length

/** Whether a contract is to be audited: when a snapshot has begun to be used, and then daily (D154). */
const isAuditDue = ({ snapshot }: KeptContract, { audited }: ContractCare, now: number): boolean =>
  snapshot !== undefined &&
  !isOver(snapshot, now) &&
  (audited?.id !== snapshot.id || now - audited.at >= day)

/** The moments of the last week, with another one. */
export const withMoment = (moments: readonly number[], moment: number, now: number): number[] => [
  ...moments.filter((each) => each > now - week && each !== moment),
  moment,
]

import type { KeptContract } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import { type CareWork, type ChainCare, noCare } from '../ports/contract-care.ts'
import type { SnapshotKey } from '../ports/kept-contracts.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { isAuditDue, isSnapshotDue } from './due-contract.ts'

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
  for (const item of items) {
    const of: ContractKey = { chain, address: item.address }
    const known = careOf(item.address)
    if (isSnapshotDue(item, known, now)) {
      const until = now + lostAfter
      const snapshot = { kind: 'snapshot', contract: of, turn: until } as const
      due.push({ work: 'snapshot', of, before: known.snapshotFrom, until, item: snapshot })
    }
    if (isAuditDue(item, known, now)) {
      const [before, until] = [known.auditFrom, now + auditAgainAfter]
      due.push({ work: 'audit', of, before, until, item: { kind: 'audit', contract: of } })
    }
  }
  // Those of a contract one after the other.
  for (const snapshot of firstOfEach(lists)) {
    const { address } = snapshot
    const [before, until] = [careOf(address).listsFrom, now + listsAgainAfter]
    const item = { kind: 'deleteLists', snapshot } as const
    due.push({ work: 'lists', of: { chain, address }, before, until, item })
  }
  if (items.length > 0) {
    const [before, until] = [care.metadataFrom, now + metadataAgainAfter]
    const item = { kind: 'dueMetadata', chain } as const
    due.push({ work: 'metadata', of: { chain }, before, until, item })
  }
  return due.filter(({ before }) => before <= now)
}

const firstOfEach = (lists: readonly SnapshotKey[]): SnapshotKey[] => [
  ...new Map(lists.toReversed().map((snapshot) => [snapshot.address, snapshot])).values(),
]

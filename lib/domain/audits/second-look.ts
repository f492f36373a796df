import type { RangeReader } from '../following/chain-range.ts'
import { type Snapshot, type SnapshotId, settledBlock } from '../holdings/kept-contract.ts'
import {
  type KeptEvent,
  type SettledDigest,
  settledDigest,
  type UnderstoodEvents,
} from '../holdings/kept-event.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { FollowNotes, SettledDigests } from '../ports/follow-notes.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import type { Deadline } from '../time-budget.ts'
import { type EndPorts, endedBefore, endSnapshot } from './end-snapshot.ts'
import { lateEvents } from './late-events.ts'

/** A contract whose events are read again. */
export interface LookedAt {
  address: Address
  /** Its snapshot, and the block with which that began: earlier events are none of its. */
  id: SnapshotId
  since: number
  /** An earlier look at the same blocks has found other events than have settled. */
  isSuspected?: true | undefined
}

/** Blocks whose events are read again, both ends included. */
export interface SecondLook {
  chain: Chain
  from: number
  to: number
  contracts: readonly LookedAt[]
}

/** What a second look has found. The contracts that it does not name have the events that have settled, or other snapshots. */
interface SecondLookReport {
  /** The contracts whose snapshots have ended, with this try or an earlier one. `isRepeated`: see endSnapshot. */
  ended: { address: Address; isRepeated: boolean }[]
  /** To be looked at again a poll later, with the same blocks: other events than have settled, or some that have not. */
  again: LookedAt[]
  refused: Address[]
}

export interface SecondLookPorts extends EndPorts {
  keptContracts: Pick<KeptContracts, 'contract' | 'contracts' | 'write'>
  ranges: RangeReader
  followNotes: Pick<FollowNotes, 'position'>
  settledDigests: Pick<SettledDigests, 'read'>
}

/** A contract that can be judged, with what was noted of its settled events. */
interface Judged {
  looked: LookedAt
  standard: Snapshot['standard']
  digests: readonly SettledDigest[]
}

/**
 * Reads the events of blocks again, long after they have settled, and ends the snapshots of contracts of which the source tells other
 * events than have settled: a log can show up after all polls that have read its block. What differs is looked at twice, because a
 * node can lack events, too. Blocks count that are later than the beginning of a snapshot, and only when all of them have settled.
 * Throws IndexerUnavailable and ServiceUnavailable.
 */
export async function lookAgain(
  look: SecondLook,
  ports: SecondLookPorts,
  deadline: Deadline,
): Promise<SecondLookReport> {
  const { judged, unsettled, ended } = await contractsOf(look, ports)
  const report: SecondLookReport = { ended, again: unsettled, refused: [] }
  const standards = new Map(judged.map(({ looked, standard }) => [looked.address, standard]))
  const blocks = { from: firstBlock(look, judged), to: look.to }
  const found = await lateEvents(standards, blocks, ports.ranges, deadline)
  for (const each of judged) {
    const { address, id, isSuspected } = each.looked
    const events = found.get(address)
    if (!events) report.refused.push(address)
    else if (isSettled(look, each, events)) continue
    else if (isSuspected) {
      const ended = await endSnapshot({ chain: look.chain, address, id }, 'secondLook', ports)
      if (ended) report.ended.push({ address, ...ended })
    } else report.again.push({ ...each.looked, isSuspected: true })
  }
  return report
}

/** The contracts that can be judged, those of which some events of the blocks have not settled, and those whose snapshots have ended. */
async function contractsOf(
  { chain, from, to, contracts }: SecondLook,
  { followNotes, keptContracts, settledDigests }: SecondLookPorts,
): Promise<Pick<SecondLookReport, 'ended'> & { judged: Judged[]; unsettled: LookedAt[] }> {
  const position = await followNotes.position(chain)
  // After the position, and before what was noted of settled events: of those up to the settled block, all is noted then.
  const items = new Map((await keptContracts.contracts(chain)).map((item) => [item.address, item]))
  const judged: Judged[] = []
  const unsettled: LookedAt[] = []
  const ended: SecondLookReport['ended'] = []
  for (const looked of contracts) {
    const { address, id, since } = looked
    const item = items.get(address)
    if (item?.snapshot?.id !== id) {
      const before = item && endedBefore(item, id, 'secondLook')
      if (before) ended.push({ address, ...before })
      continue
    }
    if (since >= to) continue
    const upTo = position?.settling ? settledBlock(position.settling, item) : 0
    if (upTo < to) unsettled.push(looked)
    else {
      const noted = await settledDigests.read({ chain, address }, { after: from - 1, upTo })
      // What has settled before is none of the snapshot.
      const digests = noted.filter(({ after }) => after >= since)
      judged.push({ looked, standard: item.snapshot.standard, digests })
    }
  }
  return { judged, unsettled, ended }
}

/** Some of what has settled up to the blocks began to settle before them. */
const firstBlock = ({ from, to }: SecondLook, judged: readonly Judged[]): number =>
  judged
    .flatMap(({ digests }) => digests)
    .filter(({ upTo }) => upTo <= to)
    .reduce((first, { after }) => Math.min(first, after + 1), from)

/** Whether the source tells of a contract exactly what has settled, each time that some of it did. */
function isSettled(
  { from, to }: SecondLook,
  { looked: { since }, digests }: Judged,
  { events, hasUnknown }: UnderstoodEvents,
): boolean {
  const isNoted = ({ block }: KeptEvent) =>
    block < from ||
    block <= since ||
    digests.some(({ after, upTo }) => block > after && block <= upTo)
  const isSame = (noted: SettledDigest) => {
    const { count, digest } = settledDigest(events, noted)
    return noted.count === count && noted.digest === digest
  }
  // What goes on after the blocks is compared with the next ones.
  const due = digests.filter(({ upTo }) => upTo <= to)
  return !hasUnknown && events.every(isNoted) && due.every(isSame)
}

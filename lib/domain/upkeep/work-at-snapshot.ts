import { isOver, type KeptContract } from '../holdings/kept-contract.ts'
import type { CareNotes, ContractCare } from '../ports/contract-care.ts'
import { OwnersNotListed } from '../ports/indexer.ts'
import type { SnapshotAttempt } from '../snapshots/snapshot-attempt.ts'
import { refuse, type SnapshotProgress, takeSnapshot } from '../snapshots/take-snapshot.ts'
import type { Deadline } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { isSnapshotDue, lostAfter, withMoment } from './due-work.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'
import { type UpkeepStep, type Waiting, withinBudget } from './upkeep-result.ts'

type SnapshotItem = Extract<UpkeepWork, { kind: 'snapshot' }>

/** How long the indexer lists no owners of a contract with each look, before it is refused; and the time between two looks, in milliseconds. */
const unlistedMilliseconds = 3_600_000
const unlistedPause = 10 * 60_000

/** What a part of the work has come to. `unlisted`: the indexer has listed no owners, which it may do again. */
type Part = SnapshotProgress | Waiting | { outcome: 'unlisted'; reason: string; pause: number }

/**
 * Works at a due snapshot, and goes on in another item; of two, one goes on. Throws ServiceUnavailable: upkeep sends it
 * again.
 */
export async function workAtSnapshot(
  item: SnapshotItem,
  until: Deadline,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const { contract, turn } = item
  const { attempts, callBudget, contractCares, keptContracts, now } = ports
  const [kept, care, before] = await Promise.all([
    keptContracts.contract(contract),
    contractCares.contract(contract),
    attempts.get(contract),
  ])
  if (care.snapshotFrom !== turn) return { outcome: 'overtaken' }
  if (!kept || !isSnapshotDue(kept, { ...care, isBegun: before !== undefined }, now())) {
    await nextItem(item, undefined, { isBegun: false, unlistedSince: 0 }, ports)
    return { outcome: 'nothing' }
  }
  const work = () => partOf(item, kept, care, until, ports)
  const worked = await withinBudget(contract, work, callBudget)
  const part: Part = 'result' in worked ? worked.result : worked
  const after = await attempts.get(contract)
  if (after && !before) await ports.workQueue.send({ kind: 'prefetch', contract, looked: 0 }, 0)
  const notes = notesOf(part, after, care, now())
  const next = await nextItem(item, pauseAfter(part, until, ports), notes, ports)
  return { outcome: part.outcome, ...('reason' in part && { reason: part.reason }), next }
}

async function partOf(
  { contract }: SnapshotItem,
  { log, snapshot }: KeptContract,
  { unlistedSince }: ContractCare,
  until: Deadline,
  ports: UpkeepPorts,
): Promise<Part> {
  const { contractStandards, now, snapshotSettings } = ports
  const known = log ?? snapshot
  try {
    const standard = known?.standard ?? (await contractStandards.standardOf(contract, until))
    if (!standard) throw new OwnersNotListed('the contract follows no standard of NFTs')
    return await takeSnapshot(contract, ports, { ...snapshotSettings, standard }, until)
  } catch (error) {
    if (!(error instanceof OwnersNotListed)) throw error
    const { reason } = error
    // While a snapshot is in use, the indexer has listed the owners before.
    const isInUse = snapshot && !isOver(snapshot, now())
    const isShort = unlistedSince === 0 || now() - unlistedSince < unlistedMilliseconds
    if (isInUse || isShort) return { outcome: 'unlisted', reason, pause: unlistedPause }
    return await refuse('notListed', { contract, ports }, reason)
  }
}

/** The time until the work goes on, in milliseconds; `undefined`: it is at its end. */
function pauseAfter(
  part: Part,
  until: Deadline,
  { now, snapshotSettings }: UpkeepPorts,
): number | undefined {
  if (!('pause' in part)) return undefined
  // What is waited for takes about the settling time, and each look at it is a call.
  const least = now() < until ? snapshotSettings.settlingMilliseconds / 20 : 0
  return Math.max(part.pause, least)
}

function notesOf(
  { outcome }: Part,
  attempt: SnapshotAttempt | undefined,
  { attempts, handedOver, unlistedSince }: ContractCare,
  now: number,
): CareNotes {
  const isListed = attempt !== undefined && hasPage(attempt)
  return {
    isBegun: attempt !== undefined,
    ...(attempt && { attempts: withMoment(attempts, attempt.statedAt, now) }),
    ...(outcome === 'prepared' && { handedOver: withMoment(handedOver, now, now) }),
    ...(outcome === 'unlisted'
      ? { unlistedSince: unlistedSince || now }
      : (outcome === 'refused' || isListed) && { unlistedSince: 0 }),
  }
}

const hasPage = ({ first }: SnapshotAttempt): boolean =>
  first.pageKey !== undefined || first.readBy !== undefined

/** Notes what was done, and returns the item that goes on, unless another one has its turn by now. */
async function nextItem(
  { contract, turn }: SnapshotItem,
  pause: number | undefined,
  notes: CareNotes,
  { contractCares, now }: UpkeepPorts,
): Promise<UpkeepStep['next']> {
  const next = pause === undefined ? now() : now() + pause + lostAfter
  const moment = { before: turn, until: next }
  const isReserved = await contractCares.reserve(contract, 'snapshot', moment, notes)
  if (!isReserved || pause === undefined) return undefined
  return { item: { kind: 'snapshot', contract, turn: next }, pause }
}

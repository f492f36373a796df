import type { KeptContract } from '../holdings/kept-contract.ts'
import type { CallBudget } from '../ports/call-budget.ts'
import type { ContractStandards } from '../ports/chain-state.ts'
import type { CareNotes, ContractCare, ContractCares } from '../ports/contract-care.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { SnapshotAttempt } from '../snapshots/snapshot-attempt.ts'
import type { SnapshotPorts, SnapshotSettings } from '../snapshots/snapshot-work.ts'
import { refuse, type SnapshotProgress, takeSnapshot } from '../snapshots/take-snapshot.ts'
import type { Deadline } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { isSnapshotDue, withMoment } from './due-contract.ts'
import { lostAfter } from './due-work.ts'
import {
  budgetPause,
  delaySeconds,
  type Unavailable,
  type UpkeepResult,
  unavailable,
  unavailablePause,
} from './upkeep-result.ts'

type SnapshotItem = Extract<UpkeepWork, { kind: 'snapshot' }>

export interface SnapshotWorkPorts extends SnapshotPorts {
  contractStandards: ContractStandards
  contractCares: Pick<ContractCares, 'contract' | 'reserve'>
  callBudget: CallBudget
  workQueue: WorkQueue
  snapshotSettings: Omit<SnapshotSettings, 'standard'>
}

/** What a part of the work has come to. */
type Part = (SnapshotProgress & { reason?: string | undefined }) | Unavailable | 'later'

/**
 * Works at the snapshot of a contract for as long as it is due, and goes on in another item. Of two items that are on their way, one goes
 * on. Throws ServiceUnavailable: the next upkeep sends it again.
 */
export async function workAtSnapshot(
  item: SnapshotItem,
  until: Deadline,
  ports: SnapshotWorkPorts,
): Promise<UpkeepResult> {
  const { contract, turn } = item
  const { attempts, callBudget, contractCares, keptContracts, now } = ports
  const [kept, care, before] = await Promise.all([
    keptContracts.contract(contract),
    contractCares.contract(contract),
    attempts.get(contract),
  ])
  if (care.snapshotFrom !== turn) return { outcome: 'overtaken' }
  if (!kept || !isSnapshotDue(kept, { ...care, isBegun: before !== undefined }, now())) {
    await goOn(item, undefined, { isBegun: false }, ports)
    return { outcome: 'nothing' }
  }
  const part: Part = await callBudget
    .spend(contract, () => partOf(item, kept, until, ports))
    .catch(unavailable)
  const after = await attempts.get(contract)
  if (after && !before) await ports.workQueue.send({ kind: 'prefetch', contract, looked: 0 }, 0)
  await goOn(item, pauseAfter(part, until, ports), notesOf(part, after, care, now()), ports)
  return part === 'later' ? { outcome: part } : { outcome: part.outcome, reason: part.reason }
}

async function partOf(
  { contract }: SnapshotItem,
  { log, snapshot }: KeptContract,
  until: Deadline,
  ports: SnapshotWorkPorts,
): Promise<Part> {
  const { contractStandards, keptContracts, snapshotSettings } = ports
  const known = log ?? snapshot
  const standard = known?.standard ?? (await contractStandards.standardOf(contract, until))
  const progress: SnapshotProgress = standard
    ? await takeSnapshot(contract, ports, { ...snapshotSettings, standard }, until)
    : await refuse('notListed', { contract, ports })
  if (progress.outcome !== 'refused') return progress
  const { ended } = (await keptContracts.contract(contract)) ?? {}
  const reason = standard ? ended?.reason : 'the contract follows no standard of NFTs'
  return { ...progress, reason }
}

/** The time until the work goes on, in milliseconds; `undefined`: it is at its end. */
function pauseAfter(
  part: Part,
  until: Deadline,
  { now, snapshotSettings }: SnapshotWorkPorts,
): number | undefined {
  if (part === 'later') return budgetPause
  if (part.outcome === 'unavailable') return unavailablePause
  if (!('pause' in part)) return undefined
  // What is waited for takes about the settling time, and each look at it is a call.
  const least = now() < until ? snapshotSettings.settlingMilliseconds / 20 : 0
  return Math.max(part.pause, least)
}

function notesOf(
  part: Part,
  attempt: SnapshotAttempt | undefined,
  { attempts, handedOver }: ContractCare,
  now: number,
): CareNotes {
  const isHandedOver = part !== 'later' && part.outcome === 'prepared'
  return {
    isBegun: attempt !== undefined,
    ...(attempt && { attempts: withMoment(attempts, attempt.statedAt, now) }),
    ...(isHandedOver && { handedOver: withMoment(handedOver, now, now) }),
  }
}

/** Notes what was done, and sends the next item, unless another item has its turn by now. */
async function goOn(
  { contract, turn }: SnapshotItem,
  pause: number | undefined,
  notes: CareNotes,
  { contractCares, workQueue, now }: SnapshotWorkPorts,
): Promise<void> {
  const next = pause === undefined ? now() : now() + pause + lostAfter
  const moment = { before: turn, until: next }
  const isReserved = await contractCares.reserve(contract, 'snapshot', moment, notes)
  if (!isReserved || pause === undefined) return
  await workQueue.send({ kind: 'snapshot', contract, turn: next }, delaySeconds(pause))
}

import { isRefused, type KeptContract, type SnapshotEnd } from '../holdings/kept-contract.ts'
import { changeContract } from '../keeping/change-contract.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { Deadline } from '../time-budget.ts'
import { handOverSnapshot, passesAgree, touchedUpTo } from './hand-over-snapshot.ts'
import { TooManyTokens, takePage } from './owners-pass.ts'
import type { OwnersPass, SnapshotAttempt } from './snapshot-attempt.ts'
import { holdingsSum } from './snapshot-balances.ts'
import {
  type SettledPlace,
  type SnapshotPorts,
  type SnapshotSettings,
  type SnapshotWork,
  settledPlace,
  writeContract,
} from './snapshot-work.ts'

/** What a part of the work at a snapshot has come to. */
export type SnapshotProgress =
  /** The lists are written, and the follower takes them over; or there is nothing to do. */
  | { outcome: 'prepared' | 'nothing' }
  /** No snapshot is taken for 30 days, for a reason. */
  | { outcome: 'refused'; reason: string }
  /** It goes on later, after as many milliseconds; or it has begun again, because the passes do not agree. */
  | { outcome: 'waiting' | 'anew'; pause: number }

/** How long one part of the work takes at most, in milliseconds: nobody else works at the attempt meanwhile. */
const partMilliseconds = 60_000

/** The time that a page of owners should have, in milliseconds: the pass begins anew if a page ends before it is written. */
const pageMilliseconds = 20_000

/** How often a pass of an attempt begins anew because the lists of a page were not written whole. */
const maxRestarts = 2

/** How long an attempt is gone on with, in milliseconds: a day, while the log has all of its events. */
const oldestMilliseconds = 86_400_000

/**
 * How old the block is at most as of which lists are corrected, in milliseconds: less than the hour of the follower.
 */
const correctionMilliseconds = 10 * 60_000

/** The time between two looks at whether the follower, or the indexer, has come far enough, in milliseconds. */
const lookMilliseconds = 5_000

/**
 * Works at the snapshot of a contract until it is done, or waits for something: the log of the contract; the first pass over the owners; that what
 * it has read settles; the second pass; that what this has read settles. Then what events have touched is corrected, what they
 * have not touched must agree in both passes, and the follower takes over. Every part can be repeated. Throws IndexerUnavailable and
 * ServiceUnavailable, and OwnersNotListed if the indexer lists no owners this time.
 */
export async function takeSnapshot(
  contract: ContractKey,
  ports: SnapshotPorts,
  settings: SnapshotSettings,
  deadline: Deadline,
): Promise<SnapshotProgress> {
  const item = await ports.keptContracts.contract(contract)
  if (!item || item.prepared || isRefused(item, ports.now())) return { outcome: 'nothing' }
  if (!item.log) {
    const isSaved = await writeContract(
      contract,
      { ...item, log: { standard: settings.standard } },
      ports,
    )
    return { outcome: 'waiting', pause: isSaved ? settings.settlingMilliseconds : 0 }
  }
  const work = { contract, ports, settings, deadline }
  try {
    const attempt = await takenAttempt(item, work)
    return attempt ? await workAt(attempt, work) : { outcome: 'waiting', pause: lookMilliseconds }
  } catch (error) {
    if (error instanceof TooManyTokens) return await refuse('tooManyTokens', work)
    throw error
  }
}

/** Ends what is kept of a contract of which no snapshot can be taken, with the attempt. Throws ServiceUnavailable. */
export async function refuse(
  reason: SnapshotEnd,
  { contract, ports }: Pick<SnapshotWork, 'contract' | 'ports'>,
  because: string = reason,
): Promise<SnapshotProgress> {
  const ended = { reason, at: ports.now() }
  const { isChanged } = await changeContract(
    contract,
    ({ prepared }) => (prepared ? undefined : { log: undefined, snapshot: undefined, ended }),
    ports.keptContracts,
  )
  if (!isChanged) return { outcome: 'nothing' }
  const attempt = await ports.attempts.get(contract)
  if (attempt) await ports.attempts.end(contract, attempt.version)
  return { outcome: 'refused', reason: because }
}

/** The attempt that is at work, or a new one; `undefined` while another process works at it, or it cannot begin. */
async function takenAttempt(
  { log }: KeptContract,
  { contract, ports, settings, deadline }: SnapshotWork,
): Promise<SnapshotAttempt | undefined> {
  const { attempts, now } = ports
  const found = await attempts.get(contract)
  if (found && found.takenUntil > now()) return undefined
  const since = log?.since?.at ?? Number.POSITIVE_INFINITY
  // What the indexer states is not later than now.
  if (!found && since > now() - settings.settlingMilliseconds) return undefined
  const begun = found ?? (await newAttempt(contract, ports, settings, deadline))
  const isOld = begun !== undefined && now() - begun.statedAt > oldestMilliseconds
  if (!begun || isOld || since > begun.statedAt - settings.settlingMilliseconds) {
    // Events are missing between what the indexer had and the log, or will be before long.
    if (found) await attempts.end(contract, found.version)
    return undefined
  }
  const { isWriting } = begun.second ?? begun.first
  if (!isWriting) return await next(contract, begun, ports)
  const { restarts = 0 } = begun
  if (restarts < maxRestarts) {
    const anew = { ...withPass(begun, newPass(ports.newId())), restarts: restarts + 1 }
    return await next(contract, anew, ports)
  }
  await attempts.end(contract, begun.version)
  return undefined
}

/** Writes an attempt as its next version, which nobody else works at for some time; `undefined`: another process was faster. */
async function next(
  contract: ContractKey,
  attempt: SnapshotAttempt,
  { attempts, now }: SnapshotPorts,
): Promise<SnapshotAttempt | undefined> {
  const taken = {
    ...attempt,
    version: attempt.version + 1,
    takenUntil: now() + partMilliseconds,
  }
  return (await attempts.write(contract, taken)) ? taken : undefined
}

async function newAttempt(
  contract: ContractKey,
  { tokenOwners, now, newId }: SnapshotPorts,
  { standard, settlingMilliseconds }: SnapshotSettings,
  deadline: Deadline,
): Promise<SnapshotAttempt | undefined> {
  const stated = await tokenOwners.statedBlock(contract, deadline)
  if (!stated || now() - stated.at > settlingMilliseconds) return undefined
  const first = newPass(newId())
  return { version: 0, takenUntil: 0, standard, statedAt: stated.at, first }
}

const newPass = (id: string): OwnersPass => ({ id, count: 0, sum: holdingsSum().text() })

async function workAt(from: SnapshotAttempt, work: SnapshotWork): Promise<SnapshotProgress> {
  const { ports, deadline } = work
  // At least one, so that there is progress in any time.
  const lastPage = Math.max(ports.now(), deadline - pageMilliseconds)
  const isDone = (pass: OwnersPass) =>
    ports.now() >= (pass.readBy === undefined ? lastPage + 1 : deadline)
  let attempt: SnapshotAttempt | undefined = from
  while (attempt && !isDone(attempt.second ?? attempt.first)) {
    const pass: OwnersPass = attempt.second ?? attempt.first
    if (pass.readBy === undefined) {
      attempt = await afterPage(attempt, pass, work)
      continue
    }
    const place = await settledPlace(work)
    if (!place || place.block.at < pass.readBy) return await release(attempt, work)
    if (attempt.second) return await prepare(attempt, attempt.second, place, work)
    if (!(await isIndexed(pass.readBy, work))) return await release(attempt, work)
    attempt = await next(work.contract, { ...attempt, second: newPass(ports.newId()) }, ports)
  }
  return attempt ? await release(attempt, work) : { outcome: 'waiting', pause: lookMilliseconds }
}

class Overtaken extends Error {}

async function afterPage(
  attempt: SnapshotAttempt,
  pass: OwnersPass,
  work: SnapshotWork,
): Promise<SnapshotAttempt | undefined> {
  const { contract, ports } = work
  let latest = attempt
  const beforePiece = async () => {
    const writing = await next(contract, withPass(latest, { ...pass, isWriting: true }), ports)
    if (!writing) throw new Overtaken()
    latest = writing
  }
  try {
    const after = await takePage(pass, beforePiece, work)
    return await next(contract, withPass(latest, after), ports)
  } catch (error) {
    if (error instanceof Overtaken) return undefined
    throw error
  }
}

const withPass = (attempt: SnapshotAttempt, pass: OwnersPass): SnapshotAttempt => ({
  ...attempt,
  ...(attempt.second ? { second: pass } : { first: pass }),
})

/** Whether what was on the chain at a moment is in all that the indexer lists. */
async function isIndexed(
  moment: number,
  { contract, ports, settings, deadline }: SnapshotWork,
): Promise<boolean> {
  if (ports.now() - settings.settlingMilliseconds < moment) return false
  const stated = await ports.tokenOwners.statedBlock(contract, deadline)
  return stated !== undefined && stated.at - settings.settlingMilliseconds >= moment
}

/** Corrects the lists of the second pass as far as it comes, and hands them over. */
async function prepare(
  attempt: SnapshotAttempt,
  second: OwnersPass,
  place: SettledPlace,
  work: SnapshotWork,
): Promise<SnapshotProgress> {
  const { contract, ports } = work
  const { agreed } = attempt
  const isGoneOn = agreed && ports.now() - agreed.block.at < correctionMilliseconds
  const { block, corrected } = isGoneOn ? agreed : { block: place.block, corrected: 0 }
  const touched = await touchedUpTo({ ...place, block }, attempt, work)
  if (!touched) return await beginAnew(attempt, work)
  // Lists that were corrected in part do not have the sum of their pass any more.
  if (!agreed && !(await passesAgree(attempt, second, touched, work)))
    return await beginAnew(attempt, work)
  let latest = attempt
  const note = async (count: number) => {
    const noted = { ...latest, agreed: { block, corrected: count } }
    const saved = await next(contract, noted, ports)
    latest = saved ?? latest
    return saved !== undefined
  }
  if (!isGoneOn && !(await note(0))) return await beginAnew(latest, work)
  const outcome = await handOverSnapshot(latest, second, touched, { from: corrected, note }, work)
  if (outcome === 'unfinished') return await release(latest, work)
  if (outcome === 'anew') return await beginAnew(latest, work)
  await ports.attempts.end(contract, latest.version)
  return { outcome }
}

async function beginAnew(
  { version }: SnapshotAttempt,
  { contract, ports }: SnapshotWork,
): Promise<SnapshotProgress> {
  await ports.attempts.end(contract, version)
  return { outcome: 'anew', pause: lookMilliseconds }
}

/** Lets another process, or the next part of the work, go on. */
async function release(
  attempt: SnapshotAttempt,
  { contract, ports }: SnapshotWork,
): Promise<SnapshotProgress> {
  await ports.attempts.write(contract, { ...attempt, version: attempt.version + 1, takenUntil: 0 })
  return { outcome: 'waiting', pause: lookMilliseconds }
}

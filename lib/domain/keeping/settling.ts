import {
  isRefused,
  type KeptContract,
  type SettlingPosition,
  type SnapshotEnd,
} from '../holdings/kept-contract.ts'
import {
  eventKey,
  type KeptEvent,
  type Moved,
  sameEvents,
  shortHash,
} from '../holdings/kept-event.ts'
import type { Block } from '../ports/chain-events.ts'
import { everyToken } from '../ports/kept-contracts.ts'
import { changedAfter } from './changed-metadata.ts'
import {
  type BlockAt,
  isInChain,
  lastsOfCalls,
  type PolledAnswer,
  type PolledContract,
} from './polled-contract.ts'

/** How long the source may lack events of a contract, in milliseconds, before its snapshot ends. */
const lackingMilliseconds = 60_000

/**
 * How long an item keeps events that the lists have, in milliseconds: longer than a read takes, also if clocks differ.
 */
const retainedMilliseconds = 10_000

/** The size of the events above which the item of a contract has no place for them, in bytes. */
const maxEventBytes = 300_000

export interface ContractPlan extends PolledContract {
  events: readonly KeptEvent[]
  ends?: SnapshotEnd | undefined
  lacksSince?: number | undefined
  /** The events that settle with this step; empty if none does. */
  settling: readonly KeptEvent[]
  changed?: KeptContract['changed']
}

/** Whether the source lacks events that were read before, although their blocks are part of the chain. */
export async function lacksEvents(
  { contract, after }: PolledContract,
  events: readonly KeptEvent[],
  blockAt: BlockAt,
): Promise<boolean> {
  const present = new Set(events.map(eventKey))
  const gone = contract.events.filter(
    (event) => event.block > after && !present.has(eventKey(event)),
  )
  for (const number of new Set(gone.map(({ block }) => block))) {
    const block = await blockAt(number)
    if (!block || gone.some(({ hash }) => hash === shortHash(block.hash))) return true
  }
  return false
}

/** Since when a contract lacks events, and whether that is so long that its snapshot ends. */
export function lackingSince(
  { lacksSince }: KeptContract,
  isLacking: boolean,
  now: number,
): { lacksSince?: number; isOver: boolean } {
  if (!isLacking) return { isOver: false }
  const since = lacksSince ?? now
  return { lacksSince: since, isOver: now - since > lackingMilliseconds }
}

/**
 * The events that can settle: up to the block that an earlier position has declared, if this poll and the item say the
 * same.
 */
export function dueEvents(
  { contract, after, takes }: PolledContract,
  events: readonly KeptEvent[],
  settling: SettlingPosition | undefined,
): readonly KeptEvent[] {
  if (!settling || takes) return []
  const upTo = settling.declared.number
  const due = events.filter(({ block }) => block <= upTo)
  const noted = contract.events.filter(({ block }) => block > after && block <= upTo)
  return sameEvents(due, noted) ? due : []
}

/** The plans of which events settle: only if the block of the last event that each call settles is still that of its number. */
export async function settlingPlans(
  plans: readonly ContractPlan[],
  calls: PolledAnswer['calls'],
  blockAt: BlockAt,
): Promise<ContractPlan[]> {
  const due = new Map(plans.map(({ contract, settling }) => [contract.address, settling]))
  const lasts = lastsOfCalls(calls, due)
  const areInChain = await Promise.all(lasts.map(isInChain(blockAt)))
  const unsettled = new Set(
    lasts.flatMap(({ contracts }, index) => (areInChain[index] ? [] : contracts)),
  )
  return plans.map((plan) =>
    unsettled.has(plan.contract.address) ? { ...plan, settling: [] } : plan,
  )
}

/** What a step knows when it writes the items of contracts. */
export interface ItemStep {
  /** When the step began, in milliseconds since 1970. */
  now: number
  clock(): number
  step: number
  readUpTo: number
  to: Block
  /** The block after which the step reads a contract that has no events. */
  from: Block
  settledUpTo: number
  /** Whether each item is written, so that whoever had the lease before cannot write it any more. */
  isTakenOver: boolean
}

/** What became of the events of a contract that settle with a step: those that were throttled are partly in its lists. */
export type SettlingOutcome = 'none' | 'settled' | 'throttled'

/** A contract as a step leaves it; `undefined` if nothing about it has changed. */
export function contractAfter(
  plan: ContractPlan,
  outcome: SettlingOutcome,
  step: ItemStep,
): KeptContract | undefined {
  const isSettled = outcome === 'settled'
  const { contract, ends, takes, lacksSince } = plan
  const { eventsAfter, settledUpTo } = placesAfter(plan, isSettled, step)
  const cut = Math.max(plan.after, settledUpTo)
  const retained =
    takes || plan.hasGap
      ? []
      : contract.events.filter(({ block }) => block > eventsAfter && block <= cut)
  const all = [...retained, ...plan.events.filter(({ block }) => block > cut)]
  const isTooLarge = bytesOf(all) > maxEventBytes
  const events = isTooLarge ? [] : all
  const reason = ends ?? (isTooLarge ? 'tooManyEvents' : undefined)
  const used = takes && { ...takes, step: Math.max(takes.step + 1, step.step) }
  const snapshot = reason ? undefined : (used ?? contract.snapshot)
  const log = logAfter(plan, reason, step)
  const changed = changesAfter(plan, reason, { snapshot, log })
  const isSuspension = ends === 'busy' || ends === 'refused'
  const isSame =
    // What is to be taken over is either taken or dropped.
    !contract.prepared &&
    !isSuspension &&
    sameEvents(events, contract.events) &&
    snapshot === contract.snapshot &&
    log?.since?.number === contract.log?.since?.number &&
    lacksSince === contract.lacksSince &&
    changed === contract.changed
  if (isSame && outcome === 'none' && !takes && !step.isTakenOver) return undefined
  const { prepared: _, ...known } = contract
  return {
    ...known,
    ...{ settledUpTo, eventsAfter, lacksSince, snapshot, log, changed },
    version: contract.version + 1,
    settledAt: isSettled ? step.clock() : contract.settledAt,
    readUpTo: step.readUpTo,
    events,
    ...endedAfter(plan, reason, step),
  }
}

/** The end of the latest snapshot after a step, if it has ended what was kept or begun of a contract, or the contract is suspended. */
function endedAfter(
  { contract, takes, ends }: ContractPlan,
  reason: SnapshotEnd | undefined,
  { now }: ItemStep,
): Pick<KeptContract, 'ended'> {
  const isSuspended = (ends === 'busy' || ends === 'refused') && !isRefused(contract, now)
  const isEnded = contract.snapshot || takes || contract.log || isSuspended
  return reason && isEnded ? { ended: { reason, at: now } } : {}
}

/** The block up to which events are in the lists after a step, and the one up to which they are not in the item. */
function placesAfter(
  { contract, takes, hasGap, after }: ContractPlan,
  isSettled: boolean,
  { settledUpTo, now }: ItemStep,
): Pick<KeptContract, 'settledUpTo' | 'eventsAfter'> {
  if (takes) return { settledUpTo: takes.since, eventsAfter: takes.since }
  if (hasGap) return { settledUpTo: after, eventsAfter: after }
  if (!isSettled) return contract
  const isRetained = now - contract.settledAt < retainedMilliseconds
  return { settledUpTo, eventsAfter: isRetained ? contract.eventsAfter : contract.settledUpTo }
}

/** The log of a contract, of which no snapshot is wanted after an event that nobody understands. */
function logAfter(
  plan: ContractPlan,
  reason: SnapshotEnd | undefined,
  step: ItemStep,
): KeptContract['log'] {
  const { log } = plan.contract
  return reason === 'unknownEvent'
    ? undefined
    : log && { ...log, since: logSince(plan, reason, step) }
}

/** The changes of metadata after a step. When the log begins anew after an end, each NFT may have changed. */
function changesAfter(
  { contract, changed }: ContractPlan,
  reason: SnapshotEnd | undefined,
  { snapshot, log }: Pick<KeptContract, 'snapshot' | 'log'>,
): KeptContract['changed'] {
  const { since } = log ?? {}
  const isAnew = since !== undefined && since.number !== contract.log?.since?.number
  const isUnread = isAnew && !snapshot && (reason ?? contract.ended) !== undefined
  return isUnread ? changedAfter(changed ?? [], [{ ...everyToken, at: since.at }]) : changed
}

/** The block after which every event is in the log. Nobody reads the blocks of a suspension. */
function logSince(
  { contract, after }: ContractPlan,
  reason: SnapshotEnd | undefined,
  { from, to }: ItemStep,
): Block | undefined {
  if (reason) return reason === 'busy' || reason === 'refused' ? undefined : to
  return contract.log?.since ?? (after === from.number ? from : undefined)
}

/** The most that events take in an item, in bytes. */
const bytesOf = (events: readonly KeptEvent[]): number =>
  events.reduce(
    (sum, { moved }) => sum + 130 + moved.reduce((of, each) => of + movedBytes(each), 0),
    0,
  )

const movedBytes = (moved: Moved): number =>
  'tokenId' in moved
    ? moved.tokenId.length + `${moved.amount}`.length + 2
    : moved.fromTokenId.length + moved.toTokenId.length + 2

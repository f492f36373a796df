import { ServiceUnavailable } from '../failures.ts'
import type { ChosenBlocks } from '../following/choose-blocks.ts'
import { timeOf } from '../following/log-events.ts'
import {
  type ChangedMetadata,
  hasBegun,
  type KeptContract,
  type SettlingPosition,
  type SnapshotEnd,
} from '../holdings/kept-contract.ts'
import { settledDigest } from '../holdings/kept-event.ts'
import type { Chain } from '../nft/chain.ts'
import type { ChainEvent, HashedBlock } from '../ports/chain-events.ts'
import type { SettledDigests } from '../ports/follow-notes.ts'
import type { KeptContracts } from '../ports/kept-contracts.ts'
import { changedAfter } from './changed-metadata.ts'
import type { BlockAt, PolledAnswer, PolledContract, PolledEvents } from './polled-contract.ts'
import { settleLists } from './settle-lists.ts'
import {
  type ContractPlan,
  contractAfter,
  dueEvents,
  type ItemStep,
  lackingSince,
  lacksEvents,
  type SettlingOutcome,
  settlingPlans,
} from './settling.ts'
import { clarityOf } from './split-answers.ts'

/** What a step keeps: the contracts with their lists, and what a second look compares with the source. */
export interface KeepPorts {
  keptContracts: KeptContracts
  settledDigests: Pick<SettledDigests, 'add'>
}

/** A step of the follower, as far as kept contracts need it. */
export interface KeepStep {
  chain: Chain
  contracts: readonly KeptContract[]
  /** When the step began, in milliseconds since 1970. */
  now: number
  clock(): number
  settling: SettlingPosition | undefined
  chosen: Pick<
    ChosenBlocks,
    'first' | 'blocks' | 'to' | 'endsTrust' | 'hasGap' | 'isReplacedBefore' | 'firstReplaced'
  >
  step: number
  declares: HashedBlock
  isTakenOver: boolean
  blockAt: BlockAt
}

/** What a step has found out about kept contracts. */
export type KeepPlan =
  /** Nothing is confirmed. `settling`: the position in place of the one before; `lacking`: the contracts that lack events. */
  | { outcome: 'unclear'; settling?: SettlingPosition; lacking: readonly ContractPlan[] }
  | { outcome: 'clear'; settling: SettlingPosition; readUpTo: number; plans: ContractPlan[] }

/** Decides what an answer means for each contract. `left`: those without an answer, and why. Nothing is written. Throws IndexerUnavailable. */
export async function planKeeping(
  polled: readonly PolledContract[],
  read: PolledAnswer,
  left: ReadonlyMap<KeptContract['address'], SnapshotEnd>,
  step: KeepStep,
): Promise<KeepPlan> {
  const { chosen, blockAt } = step
  const settling = chosen.hasGap ? undefined : step.settling
  const clarity = await clarityOf(polled, read, { to: chosen.to.number, settling, blockAt })
  if (!clarity.isClear) {
    const after = settling && clarity.answer && { ...settling, answer: clarity.answer }
    return { outcome: 'unclear', lacking: [], ...(after && { settling: after }) }
  }
  const endOfAll = await endOfSnapshots(step)
  if (endOfAll === 'unknown') return { outcome: 'unclear', lacking: [] }
  const plans = await Promise.all(
    clarity.counted.map(async (each) => {
      const { address } = each.contract
      const reason = left.get(address)
      if (reason) return leftPlan(each, reason)
      const answer = read.events.get(address) ?? { events: [], hasUnknown: false }
      return await planOf(each, answer, { upTo: clarity.upTo, endOfAll }, step)
    }),
  )
  const lacking = plans.filter(({ lacksSince, ends }) => lacksSince !== undefined && !ends)
  if (lacking.length > 0) return { outcome: 'unclear', lacking }
  const after = settlingAfter(settling, step.declares, clarity.answer)
  const settled = await settlingPlans(plans, read.calls, blockAt)
  return { outcome: 'clear', settling: after, readUpTo: clarity.upTo, plans: settled }
}

const leftPlan = (polled: PolledContract, ends: SnapshotEnd): ContractPlan => ({
  ...polled,
  ...{ events: [], ends, settling: [], changed: polled.contract.changed },
})

async function planOf(
  polled: PolledContract,
  { events: all, hasUnknown, metadata = [] }: PolledEvents,
  { upTo, endOfAll }: { upTo: number; endOfAll: SnapshotEnd | undefined },
  step: KeepStep,
): Promise<ContractPlan> {
  const { blockAt, now } = step
  const settling = step.chosen.hasGap ? undefined : step.settling
  const events = all.filter(({ block }) => block <= upTo)
  const isLacking = await lacksEvents(polled, events, blockAt)
  const { lacksSince, isOver } = lackingSince(polled.contract, isLacking, now)
  const ofAll = hasBegun(polled.contract) ? endOfAll : undefined
  const ends = ofAll ?? endOf(polled, { isOver, hasUnknown })
  const due = isLacking ? [] : dueEvents(polled, events, settling)
  const changed = changedAfter(polled.contract.changed ?? [], changesIn(metadata, step.chosen))
  return {
    ...{ ...polled, events, ends, lacksSince, settling: due },
    changed: changed.length > 0 ? changed : undefined,
  }
}

/** The changes of metadata in the blocks of a step. Those before are noted: no block that is known says their time any more. */
const changesIn = (events: readonly ChainEvent[], chosen: KeepStep['chosen']): ChangedMetadata[] =>
  events.flatMap(({ block, details }) => {
    const { content } = details
    if (content?.kind !== 'metadata' || block.number < chosen.first.number) return []
    const { fromTokenId, toTokenId } = content
    return [{ fromTokenId, toTokenId, at: timeOf(block, chosen) }]
  })

/** Why the snapshots of all contracts end with a step; `unknown` if the node that answers does not have the block. */
async function endOfSnapshots({
  settling,
  chosen,
  blockAt,
}: KeepStep): Promise<SnapshotEnd | 'unknown' | undefined> {
  // Without a position, nobody knows up to which block events have settled.
  if (!settling || chosen.hasGap) return 'gap'
  if (!chosen.endsTrust) return undefined
  // Lists may have been written up to the declared block, even if the position does not say so.
  const { firstReplaced = Number.POSITIVE_INFINITY, isReplacedBefore } = chosen
  if (isReplacedBefore || firstReplaced <= settling.declared.number) return 'reorganization'
  const block = await blockAt(settling.declared.number)
  if (!block) return 'unknown'
  return block.hash === settling.declared.hash ? undefined : 'reorganization'
}

function endOf(
  { contract, hasGap = false }: PolledContract,
  { isOver, hasUnknown }: { isOver: boolean; hasUnknown: boolean },
): SnapshotEnd | undefined {
  if (hasUnknown) return 'unknownEvent'
  if (hasGap && hasBegun(contract)) return 'gap'
  return isOver ? 'lacking' : undefined
}

const settlingAfter = (
  before: SettlingPosition | undefined,
  declares: HashedBlock,
  answer: SettlingPosition['answer'],
): SettlingPosition => {
  const isLater = !before || declares.number >= before.declared.number
  return {
    declared: isLater ? declares : before.declared,
    declaredBefore: before?.declared ?? declares,
    ...(answer && { answer }),
  }
}

/** Writes since when contracts lack events; what of it is lost is written by a later step. */
export async function noteLacking(
  chain: Chain,
  lacking: readonly ContractPlan[],
  keptContracts: Pick<KeptContracts, 'write'>,
): Promise<void> {
  const begun = lacking.filter(({ contract }) => contract.lacksSince === undefined)
  await Promise.all(
    begun.map(({ contract, lacksSince }) =>
      keptContracts.write(chain, { ...contract, version: contract.version + 1, lacksSince }),
    ),
  )
}

/**
 * Writes the log and the lists, then the items; the position comes after them. `false`: another follower was faster.
 */
export async function writeKeeping(
  { plans, readUpTo }: Extract<KeepPlan, { outcome: 'clear' }>,
  step: KeepStep,
  ports: KeepPorts,
): Promise<boolean> {
  const { chain, chosen, settling } = step
  const itemStep: ItemStep = {
    ...{ now: step.now, clock: step.clock, step: step.step, isTakenOver: step.isTakenOver },
    ...{ readUpTo, to: chosen.to },
    from: settling?.declaredBefore ?? chosen.first,
    settledUpTo: settling?.declared.number ?? 0,
  }
  const outcomes = await Promise.all(
    plans.map(async (plan) => {
      const outcome = await settle(plan, chain, itemStep.settledUpTo, ports)
      return { plan, outcome }
    }),
  )
  if (outcomes.some(({ outcome }) => outcome === 'lost')) return false
  const items = outcomes.flatMap(({ plan, outcome }) =>
    outcome === 'lost' ? [] : (contractAfter(plan, outcome, itemStep) ?? []),
  )
  if (step.isTakenOver) items.push(...untouched(step.contracts, plans))
  const saved = await Promise.all(items.map((item) => ports.keptContracts.write(chain, item)))
  return saved.every((isSaved) => isSaved)
}

/** The contracts of which a step has no plan, as whoever had the lease before it cannot write them any more. */
function untouched(
  contracts: readonly KeptContract[],
  plans: readonly ContractPlan[],
): KeptContract[] {
  const planned = new Set(plans.map(({ contract }) => contract.address))
  return contracts
    .filter(({ address }) => !planned.has(address))
    .map((contract) => ({ ...contract, version: contract.version + 1 }))
}

/** Settles the events of a contract: into its log, and into its lists. */
async function settle(
  { contract: { address, log, snapshot }, after, settling, ends }: ContractPlan,
  chain: Chain,
  upTo: number,
  { keptContracts, settledDigests }: KeepPorts,
): Promise<SettlingOutcome | 'lost'> {
  if (settling.length === 0) return 'none'
  const key = { chain, address }
  try {
    if (log) await keptContracts.log(key, settling)
    if (!snapshot || ends) return 'settled'
    await settledDigests.add(key, settledDigest(settling, { after, upTo }))
    const isSaved = await settleLists({ ...key, ...snapshot }, settling, upTo, keptContracts)
    return isSaved ? 'settled' : 'lost'
  } catch (error) {
    // The events settle with a later step.
    if (error instanceof ServiceUnavailable) return 'throttled'
    throw error
  }
}

import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvent, ChainEvents, HashedBlock } from '../ports/chain-events.ts'
import type {
  ContractChange,
  FollowedContract,
  FollowNotes,
  FollowPosition,
} from '../ports/follow-notes.ts'
import type { WebhookSignals } from '../ports/webhook-signals.ts'
import type { Deadline } from '../time-budget.ts'
import type { RangeReader } from './chain-range.ts'
import { type ChosenBlocks, chooseBlocks } from './choose-blocks.ts'
import { confirmedBy } from './known-blocks.ts'
import { logOf, type StepLog } from './log-events.ts'
import { contradicts, newEvents, nextFirst, overlapAfter } from './overlap.ts'
import { pauseMilliseconds, pollMilliseconds } from './poll-interval.ts'
import { countsOf, isSuspended, isWatched, suspensions } from './suspension.ts'

/** What a deployment sets for following its chains. */
export interface FollowSettings {
  /** The time between two polls. */
  followPollSeconds: number
  /** The events in a minute above which a contract is not followed for an hour. */
  followLogsPerMinute: number
  settlingSeconds: number
}

export interface FollowPorts {
  chainEvents: ChainEvents
  followNotes: FollowNotes
  /** Absent in a deployment without webhooks. */
  webhookSignals?: WebhookSignals | undefined
  /** The time, in milliseconds since 1970. */
  now(): number
}

/** The result of a step. `pause`: the time from its end to the next one, in milliseconds. */
export type StepResult =
  /** The position has moved. With the numbers of wanted contracts that are suspended then, by the reason. */
  | ({ outcome: 'moved'; position: FollowPosition; pause: number } & Record<
      SuspensionReason,
      number
    >)
  /** The source does not have the last block of the position yet. */
  | { outcome: 'behind'; position?: FollowPosition | undefined; pause: number }
  /** Another follower, or a read, was faster. Nothing that is noted is wrong. */
  | { outcome: 'lost' }

/** The time after `since` in which a reading that causes a lease is usable, beside settling and a poll, in milliseconds. */
const overlapReserveMilliseconds = 30_000

/** The time for which a suspended contract is not followed, in milliseconds. */
const suspensionMilliseconds = 3_600_000

/** The least time between two blocks that a step asks for because polls were rare, in milliseconds: each is a call. */
const leastKnownMilliseconds = 5_000

/** The calls that a step makes at most for blocks that it has not read, when the source accepts few blocks in a call. */
const maxCallsForBlocks = 40
const maxBlocksPerStep = 2_000

/**
 * Reads what happened on a chain since the position, and the overlap before it again, and notes it: first the
 * movements and changes of metadata, then the contracts, then the position (D66). A step that fails or ends at any
 * moment can be repeated. Throws IndexerUnavailable or ServiceUnavailable.
 */
export async function takeStep(
  follower: { chain: Chain; holder: string; ranges: RangeReader },
  { chainEvents, followNotes, webhookSignals, now: clock }: FollowPorts,
  settings: FollowSettings,
  deadline: Deadline,
): Promise<StepResult> {
  const { chain, holder, ranges } = follower
  const now = clock()
  const [position, contracts] = await Promise.all([
    followNotes.position(chain),
    followNotes.contracts(chain),
  ])
  const choice = {
    now,
    settlingMilliseconds: settings.settlingSeconds * 1_000,
    overlapMilliseconds: overlapMilliseconds(settings),
    maxBlocks: Math.min(maxBlocksPerStep, ranges.blocksPerCall() * maxCallsForBlocks),
    knownEvery: contracts.some((contract) => isWatched(contract, now))
      ? Math.max(leastKnownMilliseconds, pollMilliseconds(settings))
      : undefined,
  }
  const chosen = await chooseBlocks(chain, position, choice, chainEvents, deadline)
  const pause = pauseMilliseconds(position ?? {}, contracts, now, settings)
  if (!chosen) return { outcome: 'behind', position, pause }
  const { first, to, hasMore } = chosen
  const leased = addressesOf(contracts.filter((each) => isFollowable(each, now)))
  const watched = addressesOf(contracts.filter((each) => isLoggable(each, now)))
  const asked = [...new Set([...leased, ...watched])]
  const range = {
    contracts: asked,
    from: first.number,
    to: to.number,
    detailed: watched,
    isLeftFirst: (contract: Address) => !leased.has(contract),
  }
  const askedAt = clock()
  const read = await ranges.read(range, deadline)
  // Until its last answer, a node can change to another branch. The indexer can have read the earlier one until then.
  const answeredAt = clock()
  const suspended = suspensions(read, chosen, settings.followLogsPerMinute)
  const events = read.events.filter(({ contract }) => !suspended.has(contract))
  const followed = asked.filter((contract) => !suspended.has(contract))
  const ofLeased = events.filter(({ contract }) => leased.has(contract))
  await note(chain, newEvents(ofLeased, chosen, contracts), to, followNotes)
  const log = logOf({
    ...{ chosen, events, contracts, suspended, position, now },
    next: nextFirst(chosen, choice.overlapMilliseconds),
    replacedFrom: chosen.isReplacedBefore
      ? await replacedFrom(chain, { chainEvents, followNotes }, deadline)
      : undefined,
  })
  await followNotes.log(chain, log.logs)
  if (log.milestone) await followNotes.noteMilestone(chain, log.milestone)
  const step = (position?.step ?? 0) + 1
  const changes = contractChanges(contracts, chosen, { now, suspended, step, log })
  if (!(await followNotes.noteContracts(chain, changes))) return { outcome: 'lost' }
  const endsTrust = chosen.endsTrust || contradicts(events, chosen, followed)
  const next: FollowPosition = {
    head: { ...to, at: Math.min(to.at, now) },
    confirmedUpTo: Math.min(
      now,
      confirmedBy(chosen, position, askedAt - pollMilliseconds(settings)),
    ),
    distrustedBefore: endsTrust || !position ? answeredAt : position.distrustedBefore,
    overlap: overlapAfter(events, chosen, { ...choice, readAt: answeredAt }),
    step,
    log: log.position,
  }
  const hasMoved = await followNotes.moveTo(chain, holder, next, position)
  // Readers see the events once the position has moved.
  if (hasMoved) await signal(chain, log, contracts, { webhookSignals, now })
  if (!hasMoved) return { outcome: 'lost' }
  const counts = countsOf(contracts, suspended, now)
  return { outcome: 'moved', position: next, ...counts, pause: hasMore ? 0 : pause }
}

/** Tells webhooks of what was logged. */
async function signal(
  chain: Chain,
  { logs }: StepLog,
  contracts: readonly FollowedContract[],
  { webhookSignals, now }: Pick<FollowPorts, 'webhookSignals'> & { now: number },
): Promise<void> {
  const pushed = contracts.filter(({ pushedUntil = 0 }) => pushedUntil > now)
  const told = addressesOf(pushed)
  const logged = logs.map(({ contract }) => contract).filter((contract) => told.has(contract))
  if (logged.length > 0) await webhookSignals?.logged(chain, logged)
}

/** Notes events under the time of the last block that was read with them, which is never before their own time. */
async function note(
  chain: Chain,
  events: readonly ChainEvent[],
  to: HashedBlock,
  followNotes: FollowNotes,
): Promise<void> {
  const movements = new Map<string, { wallet: Address; contract: Address }>()
  const changed = new Set<Address>()
  for (const { contract, wallets } of events) {
    if (wallets.length === 0) changed.add(contract)
    for (const wallet of wallets) movements.set(`${wallet} ${contract}`, { wallet, contract })
  }
  const moved = [...movements.values()].map((each) => ({ ...each, block: to.number, at: to.at }))
  await Promise.all([
    followNotes.noteMovements(chain, moved),
    followNotes.noteMetadata(
      chain,
      [...changed].map((contract) => ({ contract, at: to.at })),
    ),
  ])
}

/** Whether a step notes the events of a contract for the readers that lease it. */
const isFollowable = (contract: FollowedContract, now: number): boolean =>
  contract.leasedUntil > now && !isSuspended(contract, now)

/** Whether a step logs the events of a contract. */
const isLoggable = (contract: FollowedContract, now: number): boolean =>
  isWatched(contract, now) && !isSuspended(contract, now)

const addressesOf = (contracts: readonly FollowedContract[]): Set<Address> =>
  new Set(contracts.map(({ address }) => address))

/** The changes that a step notes of the contracts. */
function contractChanges(
  contracts: readonly FollowedContract[],
  { first, hasGap }: ChosenBlocks,
  {
    now,
    suspended,
    step,
    log,
  }: {
    now: number
    suspended: ReadonlyMap<Address, SuspensionReason>
    step: number
    log: StepLog
  },
): ContractChange[] {
  const since = { number: first.number, at: first.at, step }
  // Readers also rely neither on the last hour of a lease nor on what is older than `distrustedBefore` (D65), so a contract
  // that is not changed here in time misleads none of them.
  return contracts.flatMap((from): ContractChange[] => {
    const reason = suspended.get(from.address)
    if (reason) {
      const until = now + suspensionMilliseconds
      return [{ from, suspendedUntil: until, ...(reason === 'refused' && { refusedUntil: until }) }]
    }
    const isNotedFrom = hasGap ? since : (from.since ?? since)
    const to = {
      since: isFollowable(from, now) ? isNotedFrom : undefined,
      ...(isSuspended(from, now) && {
        suspendedUntil: from.suspendedUntil,
        refusedUntil: from.refusedUntil,
      }),
      isLogged: log.logged.has(from.address) || undefined,
    }
    const isSame = to.since === from.since && to.isLogged === from.isLogged
    return isSame ? [] : [{ from, ...to }]
  })
}

/** The first block after the latest milestone that is still part of the chain: no block before it was replaced. */
async function replacedFrom(
  chain: Chain,
  { chainEvents, followNotes }: Pick<FollowPorts, 'chainEvents' | 'followNotes'>,
  deadline: Deadline,
): Promise<number | undefined> {
  const milestones = await followNotes.milestones(chain)
  let [replaced, kept] = [0, milestones.length]
  while (replaced < kept) {
    const middle = Math.floor((replaced + kept) / 2)
    const { number, hash } = milestones[middle] as HashedBlock
    const block = await chainEvents.block(chain, number, deadline)
    if (block?.hash === hash) kept = middle
    else replaced = middle + 1
  }
  const [latestKept, earliest] = [milestones[kept], milestones.at(-1)]
  return latestKept ? latestKept.number + 1 : earliest?.number
}

/** The time of the chain that each step reads again, in milliseconds. */
const overlapMilliseconds = (settings: FollowSettings): number =>
  settings.settlingSeconds * 1_000 + pollMilliseconds(settings) + overlapReserveMilliseconds

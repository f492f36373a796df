import type { KeptContract } from '../holdings/kept-contract.ts'
import type { KeepPorts } from '../keeping/keep-step.ts'
import { type StepKeeping, stepKeeping, unclearPosition } from '../keeping/step-keeping.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvent, ChainEvents } from '../ports/chain-events.ts'
import type { FollowedContract, FollowNotes, FollowPosition } from '../ports/follow-notes.ts'
import type { WebhookSignals } from '../ports/webhook-signals.ts'
import type { Deadline } from '../time-budget.ts'
import { addressesOf, askedContracts, eventsFrom, rangeOf } from './asked-contracts.ts'
import type { RangeReader } from './chain-range.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { confirmedBy } from './known-blocks.ts'
import { type KnownStep, noteEvents, signal } from './note-step.ts'
import { contradicts, nextFirst, overlapAfter } from './overlap.ts'
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
  /** Absent in a deployment that keeps no holdings. */
  keeping?: KeepPorts | undefined
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
  /** The source does not have the last block of the position yet, or what it has told confirms nothing. */
  | { outcome: 'behind'; position?: FollowPosition | undefined; pause: number }
  /** Another follower, or a read, was faster. Nothing that is noted is wrong. */
  | { outcome: 'lost' }

/** The time after `since` in which a reading that causes a lease is usable, beside settling and a poll, in milliseconds. */
const overlapReserveMilliseconds = 30_000

/** The least time between two blocks that a step asks for because polls were rare, in milliseconds: each is a call. */
const leastKnownMilliseconds = 5_000

/** The calls that a step makes at most for blocks that it has not read, when the source accepts few blocks in a call. */
const maxCallsForBlocks = 40
const maxBlocksPerStep = 2_000

/** Who takes a step: the holder of the lease of a chain. */
interface Follower {
  chain: Chain
  holder: string
  ranges: RangeReader
  /** Whether the lease was another's whose time was over, and no step has moved the position since. */
  isTakenOver?: boolean | undefined
}

/**
 * Reads what happened on a chain since the position, and the overlap before it again, and notes it: first the
 * movements and changes of metadata, then the contracts, then what is kept of them, then the position (D66). A step that fails or ends at
 * any moment can be repeated. Throws IndexerUnavailable or ServiceUnavailable.
 */
export async function takeStep(
  follower: Follower,
  ports: FollowPorts,
  settings: FollowSettings,
  deadline: Deadline,
): Promise<StepResult> {
  const { chain, holder, ranges } = follower
  const { chainEvents, followNotes, now: clock } = ports
  const now = clock()
  const [position, contracts] = await Promise.all([
    followNotes.position(chain),
    followNotes.contracts(chain),
  ])
  // After the position, which says what of it has settled.
  const kept = (await ports.keeping?.keptContracts.contracts(chain)) ?? []
  const choice = blockChoice(contracts, kept, { ranges, settings, now })
  const chosen = await chooseBlocks(chain, position, choice, chainEvents, deadline)
  const isKept = kept.length > 0
  const pause = pauseMilliseconds(position ?? {}, contracts, { now, isKept }, settings)
  if (!chosen) return { outcome: 'behind', position, pause }
  const asked = askedContracts(contracts, now)
  const next = nextFirst(chosen, choice.overlapMilliseconds)
  const step = (position?.step ?? 0) + 1
  const known = { position, contracts, chosen, next, step, now }
  const keeping = keepingOf(kept, known, follower, { ...ports, deadline })
  const askedAt = clock()
  const read = await ranges.read(rangeOf(asked, chosen, keeping), deadline)
  const suspended = suspensions(
    eventsFrom(chosen.first, read),
    chosen,
    settings.followLogsPerMinute,
  )
  const plan = await keeping?.plan(read, { askedAt, suspended })
  if (plan?.outcome === 'unclear') {
    await keeping?.write(plan)
    const unclear = unclearPosition(position, plan.settling)
    if (unclear) await followNotes.moveTo(chain, holder, unclear, position)
    return { outcome: 'behind', position, pause }
  }
  // Until its last answer, a node can change to another branch. The indexer can have read the earlier one until then.
  const answeredAt = clock()
  const events = eventsFrom(chosen.first, read).events.filter(
    ({ contract }) => asked.all.has(contract) && !suspended.has(contract),
  )
  const noted = await noteEvents(events, { ...known, suspended, asked }, follower, ports, deadline)
  if (!noted || (plan && !(await keeping?.write(plan)))) return { outcome: 'lost' }
  const confirms = askedAt - pollMilliseconds(settings)
  const times = { ...choice, confirms, readAt: answeredAt }
  const followed = [...asked.all].filter((contract) => !suspended.has(contract))
  const moved: FollowPosition = {
    ...positionAfter(events, followed, known, times),
    ...{ log: noted.position, settling: plan?.settling },
  }
  if (!(await followNotes.moveTo(chain, holder, moved, position))) return { outcome: 'lost' }
  // Readers see the events once the position has moved.
  await signal(chain, noted, contracts, { webhookSignals: ports.webhookSignals, now })
  const counts = countsOf(contracts, suspended, now)
  return { outcome: 'moved', position: moved, ...counts, pause: chosen.hasMore ? 0 : pause }
}

/** The position after a step, but for what it has logged and kept. */
function positionAfter(
  events: readonly ChainEvent[],
  followed: readonly Address[],
  { position, chosen, step, now }: KnownStep,
  times: { overlapMilliseconds: number; readAt: number; confirms: number },
): FollowPosition {
  const endsTrust = chosen.endsTrust || contradicts(events, chosen, followed)
  return {
    head: { ...chosen.to, at: Math.min(chosen.to.at, now) },
    confirmedUpTo: Math.min(now, confirmedBy(chosen, position, times.confirms)),
    distrustedBefore: endsTrust || !position ? times.readAt : position.distrustedBefore,
    overlap: overlapAfter(events, chosen, times),
    step,
  }
}

function blockChoice(
  contracts: readonly FollowedContract[],
  kept: readonly KeptContract[],
  { ranges, settings, now }: { ranges: RangeReader; settings: FollowSettings; now: number },
) {
  const settles = kept.length > 0 || contracts.some((contract) => isWatched(contract, now))
  return {
    now,
    settlingMilliseconds: settings.settlingSeconds * 1_000,
    overlapMilliseconds: overlapMilliseconds(settings),
    maxBlocks: Math.min(maxBlocksPerStep, ranges.blocksPerCall() * maxCallsForBlocks),
    knownEvery: settles ? Math.max(leastKnownMilliseconds, pollMilliseconds(settings)) : undefined,
  }
}

/** Begins what a step does about kept contracts; `undefined` if none is kept. */
function keepingOf(
  kept: readonly KeptContract[],
  { position, contracts, chosen, next, step, now }: KnownStep,
  { chain, ranges, isTakenOver = false }: Follower,
  { chainEvents, keeping, now: clock, deadline }: FollowPorts & { deadline: Deadline },
): StepKeeping | undefined {
  if (!keeping || kept.length === 0) return undefined
  const suspended = addressesOf(contracts.filter((contract) => isSuspended(contract, now)))
  return stepKeeping(
    kept,
    {
      ...{ chain, now, clock, chosen, step, isTakenOver, suspended, ranges, deadline },
      ...{ settling: position?.settling, declares: next },
    },
    { chainEvents, ...keeping },
  )
}

/** The time of the chain that each step reads again, in milliseconds. */
const overlapMilliseconds = (settings: FollowSettings): number =>
  settings.settlingSeconds * 1_000 + pollMilliseconds(settings) + overlapReserveMilliseconds

import { unlessUnavailable } from '../failures.ts'
import type { KeptContract } from '../holdings/kept-contract.ts'
import type { KeepPorts } from '../keeping/keep-step.ts'
import { type StepKeeping, stepKeeping, unclearPosition } from '../keeping/step-keeping.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import type { SuspensionReason } from '../nft-events/nft-event.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { FollowedContract, FollowNotes, FollowPosition } from '../ports/follow-notes.ts'
import type { WebhookSignals } from '../ports/webhook-delivery.ts'
import type { Deadline } from '../time-budget.ts'
import type { RangeReader } from './chain-range.ts'
import { chooseBlocks } from './choose-blocks.ts'
import {
  countsOf,
  eventsFrom,
  isWatched,
  loggedContracts,
  rangeOf,
  suspendedBefore,
  suspensions,
} from './followed-contracts.ts'
import { blocksAfter, confirmedBy, nextFirst } from './known-blocks.ts'
import type { KnownStep } from './log-events.ts'
import { logEvents, signal } from './note-step.ts'
import { pauseMilliseconds, pollMilliseconds } from './poll-interval.ts'

/** What a deployment sets for following its chains. */
export interface FollowSettings {
  followPollSeconds: number
  /** The events in a minute above which a contract is not followed for an hour. */
  followLogsPerMinute: number
  settlingSeconds: number
}

export interface FollowPorts {
  chainEvents: ChainEvents
  followNotes: FollowNotes
  webhookSignals?: WebhookSignals | undefined
  keeping?: KeepPorts | undefined
  /** In milliseconds since 1970. */
  now(): number
}

/** The result of a step. `pause`: the time from its end to the next one, in milliseconds. */
export type StepResult =
  /** The position has moved. With the numbers of watched and kept contracts that are suspended then, by the reason. */
  | ({ outcome: 'moved'; position: FollowPosition; pause: number } & Record<
      SuspensionReason,
      number
    >)
  /** The source does not have the last block of the position yet, or what it has told confirms nothing. */
  | { outcome: 'behind'; position?: FollowPosition | undefined; pause: number }
  /** Another follower, or a read, was faster. Nothing that is noted is wrong. */
  | { outcome: 'lost' }

/** What is read again beside the settling time and a poll, in milliseconds. */
const overlapReserveMilliseconds = 30_000

/** The least time between two blocks that a step asks for because polls were rare, in milliseconds: each is a call. */
const leastKnownMilliseconds = 5_000

/** The calls that a step makes at most for blocks that it has not read, when the source accepts few blocks in a call. */
const maxCallsForBlocks = 40
const maxBlocksPerStep = 2_000

interface Follower {
  chain: Chain
  holder: string
  ranges: RangeReader
  /** Whether the lease was another's whose time was over, and no step has moved the position since. */
  isTakenOver?: boolean | undefined
}

/**
 * Reads what happened on a chain since the position, and the overlap before it again, and notes it: first the logs of watched
 * contracts, then what is kept, then the position, then what readers see of it (D152). A step that fails or ends at any moment can be repeated.
 * Throws IndexerUnavailable or ServiceUnavailable.
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
  const use = { isWatched: choice.isWatched, isKept: kept.length > 0 }
  const pause = pauseMilliseconds(use, now, settings)
  if (!chosen) return { outcome: 'behind', position, pause }
  const logged = loggedContracts(contracts, now)
  const before = suspendedBefore(contracts, kept, now)
  const next = nextFirst(chosen, choice.overlapMilliseconds)
  const step = (position?.step ?? 0) + 1
  const known = { position, contracts, chosen, next, step, now }
  const keeping = keepingOf(kept, { ...known, suspended: before }, follower, { ...ports, deadline })
  const askedAt = clock()
  const read = await ranges.read(rangeOf(logged, chosen, keeping), deadline)
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
  const answeredAt = clock()
  const events = eventsFrom(chosen.first, read).events.filter(
    ({ contract }) => logged.has(contract) && !suspended.has(contract),
  )
  const log = await logEvents(events, { ...known, suspended }, follower, ports, deadline)
  if (!log || (plan && !(await keeping?.write(plan)))) return { outcome: 'lost' }
  const confirms = askedAt - pollMilliseconds(settings)
  const moved: FollowPosition = {
    ...positionAfter(known, { ...choice, confirms, readAt: answeredAt }),
    ...{ log: log.position, settling: plan?.settling },
  }
  if (!(await followNotes.moveTo(chain, holder, moved, position))) return { outcome: 'lost' }
  const shown = plan && (await showReaders(chain, moved, followNotes))
  // Readers of logs see the events once the position has moved.
  await signal(chain, log, contracts, { webhookSignals: ports.webhookSignals, now })
  const counts = countsOf(new Map([...before, ...suspended]), contracts, kept, now)
  const after = chosen.hasMore ? 0 : pauseMilliseconds({ ...use, ...shown }, now, settings)
  return { outcome: 'moved', position: moved, ...counts, pause: after }
}

/** Shows readers how far the chain is read. While the table refuses it, they see an earlier position, and the next step shows its own. */
async function showReaders(
  chain: Chain,
  position: FollowPosition,
  followNotes: FollowNotes,
): Promise<{ askedAt: number } | undefined> {
  const shown = await followNotes.showReaders(chain, position).catch(unlessUnavailable)
  return shown && { askedAt: shown.askedAt ?? 0 }
}

/** The position after a step, but for what it has logged and kept. */
const positionAfter = (
  { position, chosen, step, now }: KnownStep,
  times: { overlapMilliseconds: number; readAt: number; confirms: number },
): FollowPosition => ({
  head: { ...chosen.to, at: Math.min(chosen.to.at, now) },
  confirmedUpTo: Math.min(now, confirmedBy(chosen, position, times.confirms)),
  blocks: blocksAfter(chosen, times),
  step,
})

function blockChoice(
  contracts: readonly FollowedContract[],
  kept: readonly KeptContract[],
  { ranges, settings, now }: { ranges: RangeReader; settings: FollowSettings; now: number },
) {
  const isOneWatched = contracts.some((contract) => isWatched(contract, now))
  const settles = kept.length > 0 || isOneWatched
  return {
    now,
    isWatched: isOneWatched,
    settlingMilliseconds: settings.settlingSeconds * 1_000,
    overlapMilliseconds: overlapMilliseconds(settings),
    maxBlocks: Math.min(maxBlocksPerStep, ranges.blocksPerCall() * maxCallsForBlocks),
    knownEvery: settles ? Math.max(leastKnownMilliseconds, pollMilliseconds(settings)) : undefined,
  }
}

/** Begins what a step does about kept contracts; `undefined` if none is kept. */
function keepingOf(
  kept: readonly KeptContract[],
  known: KnownStep & { suspended: ReadonlyMap<Address, SuspensionReason> },
  { chain, ranges, isTakenOver = false }: Follower,
  { chainEvents, keeping, now: clock, deadline }: FollowPorts & { deadline: Deadline },
): StepKeeping | undefined {
  if (!keeping || kept.length === 0) return undefined
  const { position, next: declares } = known
  const step = { ...known, chain, ranges, isTakenOver, clock, deadline, declares }
  return stepKeeping(kept, { ...step, settling: position?.settling }, { chainEvents, ...keeping })
}

/** The time of the chain that each step reads again, in milliseconds. */
const overlapMilliseconds = (settings: FollowSettings): number =>
  settings.settlingSeconds * 1_000 + pollMilliseconds(settings) + overlapReserveMilliseconds

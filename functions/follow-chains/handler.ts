import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'aws-lambda'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import {
  dynamoKeptContracts,
  dynamoSettledDigests,
} from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { followerName } from '../../lib/contract/background-names.ts'
import {
  type FollowedChain,
  followChains,
  stepMilliseconds,
} from '../../lib/domain/following/follow-chain.ts'
import { askForUpkeep } from '../../lib/domain/keeping/ask-for-upkeep.ts'
import { followMilliseconds } from '../../lib/domain/time-budget.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { invocationOf } from '../../lib/observability/invocation.ts'
import { logFollow } from '../../lib/observability/log.ts'
import { unknownLagSeconds } from '../../lib/observability/metrics.ts'
import type { DownstreamCounts } from '../../lib/observability/request-scope.ts'
import type { DownstreamTimes } from '../../lib/observability/service-times.ts'
import { followSettings } from '../../lib/settings/following.ts'
import { followerKeepingSettings } from '../../lib/settings/keeping.ts'
import { webhookSignals } from '../composition/webhook-ports.ts'

const { isKeeping } = followerKeepingSettings()
const table = openTable()
const ports = {
  chainEvents: alchemyChainEvents(secretsIndexerKey()),
  followNotes: dynamoFollowNotes(table),
  keeping: isKeeping
    ? { keptContracts: dynamoKeptContracts(table), settledDigests: dynamoSettledDigests(table) }
    : undefined,
  webhookSignals: webhookSignals(),
  now: Date.now,
  sleep,
}

const workQueue = isKeeping ? sqsWorkQueue() : undefined
const { followedChains, ...settings } = followSettings()

/** The time before the timeout by which the last step has ended, in milliseconds. */
const reserveMilliseconds = 2_000

/**
 * The follower of all chains (D152): polls until the next invocation begins, a minute later, and meanwhile has the worker look after what
 * is kept. What it does not finish, the next invocation does. Throws a defect after everything was logged.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const startedAt = Date.now()
  const timeLeft = context.getRemainingTimeInMillis() - stepMilliseconds - reserveMilliseconds
  const until = startedAt + Math.min(followMilliseconds, timeLeft)
  const follower = { chains: [...new Set(followedChains)], holder: randomUUID() }
  let asksForUpkeep = workQueue !== undefined
  const alone = (follow: () => Promise<FollowedChain>) =>
    downstreamCalls.during(async () => {
      // With the first chain, whose line counts its calls. A message that is not sent ends nothing: the next one is.
      const asking = asksForUpkeep ? askForUpkeep(sendUpkeep, ports, until) : undefined
      asksForUpkeep = false
      const [followed] = await Promise.all([follow(), asking])
      await downstreamCalls.besideDone()
      const calls = { ...downstreamCalls.counts(), ...downstreamCalls.times() }
      return { followed, calls, endedAt: Date.now() }
    })
  const results = await followChains(follower, ports, settings, until, alone)
  // Together: if the invocation dies, no line of another chain hides that a chain has none.
  for (const { followed, calls, endedAt } of results) {
    logChain(followed, calls, { durationMilliseconds: endedAt - startedAt, context })
  }
  for (const { followed } of results) if (followed.defect) throw followed.defect
}

function sendUpkeep(): void {
  if (workQueue) downstreamCalls.beside(workQueue.send({ kind: 'upkeep' }))
}

function logChain(
  { chain, report, defect, readUpTo }: FollowedChain,
  calls: DownstreamCounts & DownstreamTimes,
  { durationMilliseconds, context }: { durationMilliseconds: number; context: Context },
): void {
  logFollow({
    ...{ ...invocationOf(context, followerName), chain, durationMilliseconds },
    steps: report?.steps,
    followFailures: report?.failures ?? 1,
    busyContracts: report?.busy,
    refusedContracts: report?.refused,
    followLagSeconds: readUpTo === undefined ? unknownLagSeconds : (Date.now() - readUpTo) / 1_000,
    reason: report ? report.reason : 'defect',
    defect,
    ...calls,
  })
}

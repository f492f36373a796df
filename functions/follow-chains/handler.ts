import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'aws-lambda'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { followerName } from '../../lib/contract/follower-name.ts'
import { stepMilliseconds } from '../../lib/domain/following/follow-chain.ts'
import { type FollowedChain, followChains } from '../../lib/domain/following/follow-chains.ts'
import { followMilliseconds } from '../../lib/domain/time-budget.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { invocationOf } from '../../lib/observability/invocation.ts'
import { logFollow } from '../../lib/observability/log.ts'
import { unknownLagSeconds } from '../../lib/observability/metrics.ts'
import type { DownstreamCounts } from '../../lib/observability/request-scope.ts'
import type { DownstreamTimes } from '../../lib/observability/service-times.ts'
import { followSettings } from '../../lib/settings/remembering.ts'
import { webhookSignals } from '../composition/webhook-signals.ts'

const ports = {
  chainEvents: alchemyChainEvents(secretsIndexerKey()),
  followNotes: dynamoFollowNotes(openTable()),
  webhookSignals: webhookSignals(),
  now: Date.now,
  sleep,
}

const { followedChains, ...settings } = followSettings()

/** The time before the timeout by which the last step has ended, in milliseconds. */
const reserveMilliseconds = 2_000

/**
 * The follower of all chains (D66, D89): polls until the next invocation begins, a minute later. What it does not finish,
 * the next invocation does. Throws a defect after everything was logged.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const startedAt = Date.now()
  const timeLeft = context.getRemainingTimeInMillis() - stepMilliseconds - reserveMilliseconds
  const until = startedAt + Math.min(followMilliseconds, timeLeft)
  const follower = { chains: [...new Set(followedChains)], holder: randomUUID() }
  const alone = (follow: () => Promise<FollowedChain>) =>
    downstreamCalls.during(async () => {
      const followed = await follow()
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

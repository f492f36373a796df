import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'aws-lambda'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { followerNameOf } from '../../lib/contract/follower-name.ts'
import { followChain, stepMilliseconds } from '../../lib/domain/following/follow-chain.ts'
import { type Chain, isChain, isCovered } from '../../lib/domain/nft/chain.ts'
import { followMilliseconds } from '../../lib/domain/time-budget.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { invocationOf } from '../../lib/observability/invocation.ts'
import { logFollow } from '../../lib/observability/log.ts'
import { followSettings } from '../../lib/settings/remembering.ts'

const ports = {
  chainEvents: alchemyChainEvents(secretsIndexerKey()),
  followNotes: dynamoFollowNotes(openTable()),
  now: Date.now,
  sleep,
}

const settings = followSettings()

/** The time before the timeout by which the last step has ended, in milliseconds. */
const reserveMilliseconds = 2_000

/**
 * The follower of a chain (D66): polls until the next invocation begins, a minute later. What it does not finish, the
 * next invocation does.
 */
export async function handler(event: { chain: string }, context: Context): Promise<void> {
  const startedAt = Date.now()
  const { chain } = event
  if (!isChain(chain) || !isCovered(chain)) throw new RangeError('the event names no covered chain')
  const timeLeft = context.getRemainingTimeInMillis() - stepMilliseconds - reserveMilliseconds
  const until = startedAt + Math.min(followMilliseconds, timeLeft)
  await downstreamCalls.during(() => follow(chain, until, context))
}

/** Follows a chain until a time, and logs the result. Throws a defect after it was logged as a failure. */
async function follow(chain: Chain, until: number, context: Context): Promise<void> {
  const startedAt = Date.now()
  const line = () => ({
    ...invocationOf(context, followerNameOf(chain)),
    chain,
    durationMilliseconds: Date.now() - startedAt,
  })
  try {
    const report = await followChain({ chain, holder: randomUUID() }, ports, settings, until)
    const { steps, failures, suspended, readUpTo, reason } = report
    logFollow({
      ...line(),
      steps,
      followFailures: failures,
      suspendedContracts: suspended,
      followLagSeconds: readUpTo === undefined ? undefined : (Date.now() - readUpTo) / 1_000,
      reason,
    })
  } catch (error) {
    logFollow({ ...line(), followFailures: 1, reason: 'defect', defect: error })
    throw error
  }
}

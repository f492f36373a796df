import { webhookSignals } from '../../functions/composition/webhook-signals.ts'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { rangeReader } from '../../lib/domain/following/chain-range.ts'
import { stepMilliseconds } from '../../lib/domain/following/follow-chain.ts'
import { takeStep } from '../../lib/domain/following/take-step.ts'
import { followSettings } from '../../lib/settings/remembering.ts'
import { chain } from '../scenario/products.ts'

const ports = {
  chainEvents: alchemyChainEvents(secretsIndexerKey()),
  followNotes: dynamoFollowNotes(openTable()),
  webhookSignals: webhookSignals(),
}
const ranges = rangeReader(chain, ports.chainEvents)
const holder = 'bench'
const hour = 3_600_000

const leased = ports.followNotes.lease(chain, holder, hour)

/** One poll of the follower at a time of the chain, in milliseconds since 1970. The position must move. */
export async function handler({ now }: { now: number }) {
  await leased
  const deadline = Date.now() + stepMilliseconds
  const clock = () => now
  const follower = { chain, holder, ranges } as const
  const { outcome } = await takeStep(follower, { ...ports, now: clock }, followSettings(), deadline)
  return { statusCode: outcome === 'moved' ? 200 : 500, body: outcome }
}

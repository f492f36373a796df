import { webhookSignals } from '../../functions/composition/webhook-ports.ts'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import {
  dynamoKeptContracts,
  dynamoSettledDigests,
} from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { rangeReader } from '../../lib/domain/following/chain-range.ts'
import { stepMilliseconds } from '../../lib/domain/following/follow-chain.ts'
import { takeStep } from '../../lib/domain/following/take-step.ts'
import { followSettings } from '../../lib/settings/following.ts'

const table = openTable()
const ports = {
  chainEvents: alchemyChainEvents(secretsIndexerKey()),
  followNotes: dynamoFollowNotes(table),
  keeping: {
    keptContracts: dynamoKeptContracts(table),
    settledDigests: dynamoSettledDigests(table),
  },
  webhookSignals: webhookSignals(),
}
const { followedChains, ...settings } = followSettings()
const hour = 3_600_000
const followers = followedChains.map((chain) => ({
  ...{ chain, holder: 'bench', ranges: rangeReader(chain, ports.chainEvents) },
  leased: ports.followNotes.lease(chain, 'bench', hour),
}))

/** One poll of each followed chain at a time, in milliseconds since 1970, side by side. Each position must move. */
export async function handler({ now }: { now: number }) {
  const deadline = Date.now() + stepMilliseconds
  const clock = () => now
  const steps = followers.map(async ({ leased, ...follower }) => {
    await leased
    return await takeStep(follower, { ...ports, now: clock }, settings, deadline)
  })
  const outcomes = (await Promise.all(steps)).map(({ outcome }) => outcome)
  const hasMoved = outcomes.every((outcome) => outcome === 'moved')
  return { statusCode: hasMoved ? 200 : 500, body: outcomes.join() }
}

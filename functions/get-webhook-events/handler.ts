import { dynamoNftEventLog } from '../../lib/adapters/dynamodb/nft-event-log.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { writeWebhookCursor } from '../../lib/contract/webhook-cursor.ts'
import { webhookEventEntry } from '../../lib/contract/webhook-event.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { logRetentionMilliseconds } from '../../lib/domain/nft-events/nft-event.ts'
import { readNftEvents } from '../../lib/domain/nft-events/read-nft-events.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { nftEventSettings } from '../../lib/settings/following.ts'
import { allowlistPorts } from '../composition/product-ports.ts'
import { defaultEvents, row } from './operation.ts'

const table = openTable()

/** D119: what has happened to the allowlisted NFTs of the product. */
export const handler = handlerOf(
  row,
  {
    ...allowlistPorts(table),
    nftEventLog: dynamoNftEventLog(table),
    settings: nftEventSettings(),
  },
  async ({ productId, query: { since, cursor, limit = defaultEvents } }, ports) => {
    const now = Date.now()
    const start = cursor ?? { since: sinceOf(since, now), chains: new Map() }
    if (cursor && since !== undefined) throw invalidSince('must be absent with cursor')
    const read = { start, limit, now }
    const { events, next, hasMore, notFollowed } = await readNftEvents(
      productId,
      read,
      ports,
      ports.settings,
    )
    const data = { events: events.map(webhookEventEntry), cursor: writeWebhookCursor(next) }
    return { data: { ...data, hasMore, notFollowed } }
  },
)

/** The time from which on events are wanted, in milliseconds since 1970. */
function sinceOf(since: string | undefined, now: number): number {
  if (since === undefined) return now
  const time = Date.parse(since)
  if (time > now || time < now - logRetentionMilliseconds) {
    throw invalidSince('must be a time of the last 7 days')
  }
  return time
}

const invalidSince = (message: string) => new InvalidInput({ in: 'query', path: 'since' }, message)

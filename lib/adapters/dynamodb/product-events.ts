import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { TokenElementText } from '../../domain/allowlist/token-element.ts'
import type { Address } from '../../domain/nft/address.ts'
import { chainNames } from '../../domain/nft/chain.ts'
import type { ProductEvents } from '../../domain/ports/products.ts'
import {
  type EventAction,
  eventRetentionDays,
  type ProductEvent,
} from '../../domain/product/product-event.ts'
import type { KeyId } from '../../domain/product/product-key.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'
import { brandedText } from '../branded-text.ts'
import { putItem, updateItem } from './item-writes.ts'
import { eventIdFromKey, eventKey } from './keys/product-partition.ts'
import { firstItems, queryOf } from './prefix-reads.ts'
import type { Table } from './table.ts'

const retentionMilliseconds = eventRetentionDays * 24 * 3600_000

const eventItem = v.pipe(
  v.object({
    sk: v.string(),
    action: brandedText<EventAction>(),
    keyId: v.nullable(v.string()),
    newKeyId: v.exactOptional(brandedText<KeyId>()),
    endedKeyId: v.exactOptional(brandedText<KeyId>()),
    webhookId: v.exactOptional(brandedText<WebhookId>()),
    chain: v.exactOptional(v.picklist(chainNames)),
    contractAddress: v.exactOptional(brandedText<Address>()),
    count: v.exactOptional(v.number()),
    ranges: v.exactOptional(v.array(brandedText<TokenElementText>())),
    outcome: v.exactOptional(v.picklist(['done', 'failed'])),
  }),
  v.transform(({ sk, ...item }): ProductEvent => {
    const eventId = eventIdFromKey(sk)
    return { ...item, eventId, at: timeOf(eventId) }
  }),
)

/** The events in the table, in the partition of their product (D49). */
export const dynamoProductEvents = (table: Table): ProductEvents => ({
  async begin(productId, event) {
    const now = Date.now()
    const eventId = newEventId(now)
    const expiresAt = Math.ceil((now + retentionMilliseconds) / 1000)
    await putItem(table, { ...eventKey(productId, eventId), ...event, expiresAt })
    return eventId
  },

  async settle(productId, eventId, outcome, count) {
    await updateItem(table, eventKey(productId, eventId), {
      set: { outcome, ...(count !== undefined && { count }) },
      // The events of a deleted product stay deleted.
      conditions: [['pk', 'exists']],
    })
  },

  async list(productId, { after, limit }) {
    const { pk, sk: oldest } = eventKey(productId, earliestId(Date.now() - retentionMilliseconds))
    const { sk: newest } = eventKey(productId, after ?? latestId)
    if (newest < oldest) return []
    // The event of the cursor is read too: its presence shows that it is one of the product.
    const count = after === undefined ? limit : limit + 1
    // From the oldest one on, because DynamoDB deletes items some days after their TTL.
    const kept = queryOf(table, { pk, between: [oldest, newest] })
    const query = { ...kept, ScanIndexForward: false }
    const items = await firstItems(table, query, count)
    const events = items.map((item) => v.parse(eventItem, item))
    if (after === undefined) return events
    const [own, ...earlier] = events
    return own?.eventId === after ? earlier : undefined
  },
})

/** A UUID of version 7 (RFC 9562): its first 48 bits are the time in milliseconds, and it sorts by time. */
function newEventId(now: number): string {
  const time = timeDigits(now)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const timeDigits = (now: number) => now.toString(16).padStart(12, '0')

const timeOf = (eventId: string): string =>
  new Date(Number.parseInt(eventId.replace('-', '').slice(0, 12), 16)).toISOString()

function earliestId(now: number): string {
  const time = timeDigits(now)
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

const latestId = 'g'

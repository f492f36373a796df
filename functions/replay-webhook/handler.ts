import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhookUse } from '../../lib/adapters/dynamodb/webhook-use.ts'
import { webhookEntryOf } from '../../lib/contract/webhook.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { logRetentionMilliseconds } from '../../lib/domain/nft-events/nft-event.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { existingWebhook, replayWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { webhookReplayLimits } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookQueue } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D121: lets a webhook go back to a time. */
export const handler = handlerOf(
  row,
  {
    ...webhookPorts(table),
    webhookQueue: webhookQueue(),
    webhookUse: dynamoWebhookUse(table, webhookReplayLimits()),
  },
  async ({ productId, keyId, path, body }, { events, webhookQueue, webhookUse, ...ports }) => {
    const since = sinceOf(body.since, Date.now())
    const { webhookId } = await existingWebhook(productId, path.webhookId, ports)
    await webhookUse.replay(productId, webhookId)
    const make = (changeId: string) =>
      replayWebhook(productId, webhookId, since, { ...ports, changeId })
    const event = { action: 'replayWebhook', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, events)
    await webhookQueue.send({ kind: 'product', productId })
    return { data: webhookEntryOf(webhook, Date.now()) }
  },
)

/** By how much a time of seven days ago can be late, in milliseconds. */
const lateMilliseconds = 300_000

/** The time from which on events are sent again, in milliseconds since 1970. */
function sinceOf(since: string | undefined, now: number): number {
  const earliest = now - logRetentionMilliseconds
  if (since === undefined) return earliest
  const time = Date.parse(since)
  if (time <= now && time >= earliest - lateMilliseconds) return Math.max(time, earliest)
  throw new InvalidInput({ in: 'body', path: 'since' }, 'must be a time of the last 7 days')
}

import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { randomText } from '../../lib/adapters/random/webhook-ids.ts'
import { webhookEntryOf, webhookUrlIn } from '../../lib/contract/webhook.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { WebhookQueue } from '../../lib/domain/ports/webhook-delivery.ts'
import type { Webhooks } from '../../lib/domain/ports/webhooks.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import {
  existingWebhook,
  updateWebhook as update,
} from '../../lib/domain/webhooks/manage-webhooks.ts'
import type { WebhookUrlRules } from '../../lib/domain/webhooks/webhook-url.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { webhookUrlSettings } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookQueue } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

interface Ports {
  webhooks: Webhooks
  events: ProductEvents
  webhookQueue: WebhookQueue
  urls: WebhookUrlRules
}

/** D121: changes fields of a webhook, pauses it, or lets it go on. */
export const updateWebhook = operation(
  row,
  async ({ productId, keyId, path, body }, { events, webhookQueue, urls, ...ports }: Ports) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, ports)
    const changes = {
      ...body,
      ...(body.url !== undefined && { url: webhookUrlIn(body.url, urls) }),
    }
    const changing = { ...ports, changeId: randomText() }
    const make = () => update(productId, webhookId, changes, changing)
    const event = { action: 'updateWebhook', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, events)
    if (changes.state === 'active') await webhookQueue.send({ kind: 'product', productId })
    return { data: webhookEntryOf(webhook, Date.now()) }
  },
)

const table = openTable()

export const handler = lambda(updateWebhook, {
  ...webhookPorts(table),
  webhookQueue: webhookQueue(),
  urls: webhookUrlSettings(),
})

import { webhookEntryOf, webhookUrlIn } from '../../lib/contract/webhook.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { existingWebhook, updateWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { webhookUrlSettings } from '../../lib/settings/webhooks.ts'
import { webhookPorts, webhookQueue } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** D121: changes fields of a webhook, pauses it, or lets it go on. */
export const handler = handlerOf(
  row,
  {
    ...webhookPorts(),
    webhookQueue: webhookQueue(),
    urls: webhookUrlSettings(),
  },
  async ({ productId, keyId, path, body }, { events, webhookQueue, urls, ...ports }) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, ports)
    const changes = {
      ...body,
      ...(body.url !== undefined && { url: webhookUrlIn(body.url, urls) }),
    }
    const make = (changeId: string) =>
      updateWebhook(productId, webhookId, changes, { ...ports, changeId })
    const event = { action: 'updateWebhook', keyId, webhookId } as const
    const webhook = await recordChange(productId, event, { make }, events)
    if (changes.state === 'active') await webhookQueue.send({ kind: 'product', productId })
    return { data: webhookEntryOf(webhook, Date.now()) }
  },
)

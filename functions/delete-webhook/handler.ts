import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { Webhooks } from '../../lib/domain/ports/webhooks.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { existingWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { webhookPorts } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** D121: deletes a webhook. */
export const deleteWebhook = operation(
  row,
  async (
    { productId, keyId, path },
    { webhooks, events }: { webhooks: Webhooks; events: ProductEvents },
  ) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, { webhooks })
    const make = () => webhooks.remove(productId, webhookId)
    const event = { action: 'deleteWebhook', keyId, webhookId } as const
    await recordChange(productId, event, { make }, events)
    return { data: { message: 'The webhook is deleted.' } }
  },
)

export const handler = lambda(deleteWebhook, webhookPorts(openTable()))

import { recordChange } from '../../lib/domain/product/record-change.ts'
import { existingWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { webhookPorts } from '../composition/webhook-ports.ts'
import { row } from './operation.ts'

/** D121: deletes a webhook. */
export const handler = handlerOf(
  row,
  webhookPorts(),
  async ({ productId, keyId, path }, { webhooks, events }) => {
    const { webhookId } = await existingWebhook(productId, path.webhookId, { webhooks })
    const make = () => webhooks.remove(productId, webhookId)
    const event = { action: 'deleteWebhook', keyId, webhookId } as const
    await recordChange(productId, event, { make }, events)
    return { data: { message: 'The webhook is deleted.' } }
  },
)
